//pass
//--blockDim=32 --gridDim=2

// Functions are called through tables that the source initialises: one of the device, one
// of the kernel itself, one of structures.

typedef int (*binary)(int, int);

__device__ int add(int a, int b) { return a + b; }
__device__ int multiply(int a, int b) { return a * b; }
__device__ int least(int a, int b) { return a < b ? a : b; }

__device__ binary operations[3] = {add, multiply, least};
__constant__ struct { binary first, second; } pairs[2] = {{add, least}, {least, multiply}};

__global__ void apply(int *out, int which) {
  binary own[2] = {multiply, least};
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = operations[(unsigned)which % 3](x, 3);
  y = own[which & 1](y, x);
  out[x] = pairs[which & 1].second(y, 7) + operations[1](x, x);
}
