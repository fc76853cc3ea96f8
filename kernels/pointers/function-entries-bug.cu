//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=2
//write-write-race

// One of the functions writes its neighbour's element.

typedef void (*writer)(int *, int);

__device__ void own(int *out, int x) { out[x] = x; }
__device__ void next(int *out, int x) { out[x + 1] = 2 * x; }

__device__ writer writers[2] = {own, next};

__global__ void apply(int *out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  writers[x & 1](out, x);
  if (x % 2 == 0 && x > 0)
    out[x] = 0;
}
