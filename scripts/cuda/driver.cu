// Launches of the driver: a text that NVRTC compiles, with arguments by a list and packed into a
// buffer (`extra`), and as nodes of a graph. Lines with `wrong` must not be proved.
#include <cstdio>
#include <cuda.h>
#include <nvrtc.h>
#include <vector>

static const char *text =
    "extern \"C\" __global__ void bump(int *data, int n) {\n"
    "  int i = blockIdx.x * BLOCK + threadIdx.x;\n"
    "  if (i < n) data[i] = data[i] + 1;\n"
    "}\n";

static void must(int error, const char *what) {
  if (error != 0) std::printf("%s: error %d\n", what, error);
}
#define MUST(call) must((int)(call), #call)

int main() {
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction bump;
  CUdeviceptr data;
  MUST(cuInit(0));
  MUST(cuDeviceGet(&device, 0));
  MUST(cuDevicePrimaryCtxRetain(&context, device));
  MUST(cuCtxSetCurrent(context));
  nvrtcProgram program;
  const char *options[] = {"--gpu-architecture=compute_90", "-DBLOCK=64"};
  size_t size;
  MUST(nvrtcCreateProgram(&program, text, "bump.cu", 0, nullptr, nullptr));
  MUST(nvrtcCompileProgram(program, 2, options));
  MUST(nvrtcGetPTXSize(program, &size));
  std::vector<char> ptx(size);
  MUST(nvrtcGetPTX(program, ptx.data()));
  MUST(cuModuleLoadData(&module, ptx.data()));
  MUST(cuModuleGetFunction(&bump, module, "bump"));
  MUST(cuMemAlloc(&data, 400));
  int n = 100;
  void *args[] = {&data, &n};
  MUST(cuLaunchKernel(bump, 2, 1, 1, 64, 1, 1, 0, 0, args, nullptr));
  struct { CUdeviceptr data; int n; } packed = {data, 100};
  size_t bytes = 12;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   CU_LAUNCH_PARAM_END};
  MUST(cuLaunchKernel(bump, 3, 1, 1, 64, 1, 1, 0, 0, nullptr, extra));
  // Not launched, so nothing is spoiled: the second is past the end.
  CUgraph graph;
  CUgraphNode node;
  MUST(cuGraphCreate(&graph, 0));
  CUDA_KERNEL_NODE_PARAMS kernel = {};
  kernel.func = bump, kernel.gridDimX = 4, kernel.gridDimY = kernel.gridDimZ = 1;
  kernel.blockDimX = 64, kernel.blockDimY = kernel.blockDimZ = 1, kernel.extra = extra;
  MUST(cuGraphAddKernelNode(&node, graph, nullptr, 0, &kernel));
  packed.n = 101;
  MUST(cuGraphKernelNodeSetParams(node, &kernel)); // wrong, packed
  CUgraphNodeParams any = {};
  any.type = CU_GRAPH_NODE_TYPE_KERNEL;
  any.kernel.func = bump, any.kernel.gridDimX = 5, any.kernel.gridDimY = any.kernel.gridDimZ = 1;
  any.kernel.blockDimX = 64, any.kernel.blockDimY = any.kernel.blockDimZ = 1;
  any.kernel.kernelParams = args;
#if CUDA_VERSION >= 13000
  MUST(cuGraphAddNode(&node, graph, nullptr, nullptr, 0, &any));
#else
  MUST(cuGraphAddNode(&node, graph, nullptr, 0, &any));
#endif
  n = 101;
  MUST(cuGraphNodeSetParams(node, &any)); // wrong
  MUST(cuCtxSynchronize());
  std::printf("the driver's program ends\n");
}
