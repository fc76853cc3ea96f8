//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2 --no-refute
//write-write-race

// As in the twin, but there are two blocks, and nothing is assumed of threads of
// different blocks.

__global__ void scatter(int *to, const int *places) {
  __shared__ int sums[64];
  int place = places[threadIdx.x];
  __requires(__implies(__same_group, __distinct_int(place)));
  sums[threadIdx.x] = to[threadIdx.x];
  __syncthreads();
  int sum = sums[threadIdx.x] + sums[63 - threadIdx.x];
  __syncthreads();
  to[place] = sum;
}
