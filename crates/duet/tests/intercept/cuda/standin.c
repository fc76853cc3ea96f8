// A stand-in for CUDA's runtime: it launches nothing and counts the calls.
#include <stdlib.h>

#ifndef CUDART_VERSION
#define CUDART_VERSION 13000
#endif

typedef struct { unsigned x, y, z; } dim3;
static int launches;
static dim3 the_grid, the_block;
static size_t the_shared;
static void *the_stream;

void **__cudaRegisterFatBinary(void *binary) { return malloc(8); }
void __cudaRegisterFatBinaryEnd(void **handle) {}
void __cudaUnregisterFatBinary(void **handle) {}
void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name,
                            int limit, void *tid, void *bid, void *block, void *grid, int *warp) {}
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream) {
  the_grid = grid, the_block = block, the_shared = shared, the_stream = stream;
  return 0;
}
int __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void **stream) {
  *grid = the_grid, *block = the_block, *shared = the_shared, *stream = the_stream;
  return 0;
}
// A stream that is being captured launches nothing: its kernels are counted in its graph, and
// launched with it.
static int captured, capturing;
int cudaStreamBeginCapture(void *stream, int mode) { capturing = 1, captured = 0; return 0; }
int cudaStreamEndCapture(void *stream, void **graph) {
  int *count = malloc(sizeof *count);
  *count = captured, capturing = 0, *graph = count;
  return 0;
}
int cudaGraphInstantiate(void **exec, void *graph, unsigned long long flags) { *exec = graph; return 0; }
int cudaGraphLaunch(void *exec, void *stream) { launches += *(int *)exec; return 0; }
int cudaGraphExecKernelNodeSetParams(void *exec, void *node, const void *params) { return 0; }
int cudaGraphKernelNodeSetParams(void *node, const void *params) { return 0; }
int cudaGraphExecNodeSetParams(void *exec, void *node, const void *params) { return 0; }
// A node of any kind, of which those of kernels (0) are counted. CUDA 13 changed the function.
int cudaRuntimeGetVersion(int *version) { *version = CUDART_VERSION; return 0; }
#if CUDART_VERSION >= 13000
int cudaGraphAddNode(void **node, void *graph, const void *before, const void *edges, size_t count, const int *params) {
#else
int cudaGraphAddNode(void **node, void *graph, const void *before, size_t count, const int *params) {
#endif
  launches += *params == 0;
  return 0;
}
int cudaLaunchKernel(const void *func, dim3 grid, dim3 block, void **args, size_t shared, void *stream) {
  if (capturing)
    return captured++, 0;
  launches++;
  return block.x > 1024 ? 9 : 0;
}
int cudaLaunchKernelExC(const void *config, const void *func, void **args) { launches++; return 0; }
int cudaGraphAddKernelNode(void **node, void *graph, const void *before, size_t count, const void *params) {
  launches++;
  return 0;
}
int cudaMalloc(void **memory, size_t bytes) { *memory = malloc(bytes); return 0; }
int cudaMallocManaged(void **memory, size_t bytes, unsigned flags) { *memory = malloc(bytes); return 0; }
int cudaFree(void *memory) { free(memory); return 0; }
int standin_launches(void) { return launches; }

// The driver and NVRTC: a module has a kernel `shift(int *, int)`.
int nvrtcCreateProgram(void **program, const char *text, const char *name, int headers,
                       const char *const *texts, const char *const *names) {
  *program = malloc(8);
  return 0;
}
int nvrtcCompileProgram(void *program, int count, const char *const *options) { return 0; }
int cuModuleGetFunction(void **function, void *module, const char *name) {
  *function = malloc(8);
  return 0;
}
int cuFuncGetParamInfo(void *function, size_t index, size_t *offset, size_t *size) {
  static const size_t sizes[] = {8, 4};
  if (index > 1)
    return 1;
  *offset = 8 * index, *size = sizes[index];
  return 0;
}
int cuLaunchKernel(void *func, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                   unsigned bz, unsigned shared, void *stream, void **args, void **extra) {
  launches++;
  return 0;
}
int cuGraphAddNode_v2(void **node, void *graph, const void *before, const void *edges, size_t count, void *params) {
  launches++;
  return 0;
}
