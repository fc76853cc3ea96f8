//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=2
//write-write-race

// The counter is unique inside a block only, but the output is common to the blocks.

__global__ void shared_counter(int *out) {
  __shared__ int counter;
  if (threadIdx.x == 0)
    counter = 0;
  __syncthreads();
  int i = atomicAdd(&counter, 1);
  out[i] = blockIdx.x;
}
