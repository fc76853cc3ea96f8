// A program of the driver: its kernel is a text that NVRTC compiles.
#include <stdlib.h>

int nvrtcCreateProgram(void **, const char *, const char *, int, const char *const *, const char *const *);
int nvrtcCompileProgram(void *, int, const char *const *);
int cuModuleGetFunction(void **, void *, const char *);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                   void *, void **, void **);
int cuGraphAddNode_v2(void **, void *, const void *, const void *, size_t, void *);
int cudaMalloc(void **, size_t);

static const char *text =
    "extern \"C\" __global__ void shift(int *data, int n) {\n"
    "  int i = blockIdx.x * BLOCK + threadIdx.x;\n"
    "  if (i < n) data[i] = data[i] + 1;\n"
    "}\n";

int main(void) {
  void *program, *function, *data;
  const char *options[] = {"--gpu-architecture=compute_80", "-DBLOCK=64"};
  nvrtcCreateProgram(&program, text, "shift.cu", 0, 0, 0);
  nvrtcCompileProgram(program, 2, options);
  cuModuleGetFunction(&function, program, "shift");
  cudaMalloc(&data, 400);
  int n = 100;
  void *args[] = {&data, &n};
  cuLaunchKernel(function, 2, 1, 1, 64, 1, 1, 0, 0, args, 0);
  n = 101;
  cuLaunchKernel(function, 2, 1, 1, 64, 1, 1, 0, 0, args, 0);
  // The same two, with the arguments packed into a buffer.
  struct { void *data; int n; } packed = {data, 100};
  size_t bytes = sizeof packed;
  void *extra[] = {(void *)1, &packed, (void *)2, &bytes, (void *)0};
  cuLaunchKernel(function, 4, 1, 1, 64, 1, 1, 0, 0, 0, extra);
  packed.n = 101;
  cuLaunchKernel(function, 4, 1, 1, 64, 1, 1, 0, 0, 0, extra);
  // A node of a graph, whose kernel is named by its second handle.
  struct {
    int type, reserved0[3];
    void *func;
    unsigned grid[3], block[3], shared;
    void **params, **extra;
    void *kern, *context;
    long long rest[20];
  } node = {0, {0}, 0, {5, 1, 1}, {64, 1, 1}, 0, args, 0, function};
  n = 100;
  cuGraphAddNode_v2(&program, 0, 0, 0, 0, &node);
  n = 101;
  cuGraphAddNode_v2(&program, 0, 0, 0, 0, &node);
  return 0;
}
