//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=2
//write-write-race

// The chain in the other order makes the places collide.

__device__ int twice(int i) { return 2 * i; }
__device__ int next(int i) { return i + 1; }
__device__ int place(int i) { return twice(next(i)); }

__global__ void odd_places(int *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[place(i)] = i;
  a[twice(i)] = -i;
}
