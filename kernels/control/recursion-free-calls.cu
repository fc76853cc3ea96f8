//pass
//--blockDim=32 --gridDim=2

// A chain of device functions that each add to the index.

__device__ int twice(int i) { return 2 * i; }
__device__ int next(int i) { return i + 1; }
__device__ int place(int i) { return next(twice(i)); }

__global__ void odd_places(int *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[place(i)] = i;
  a[twice(i)] = -i;
}
