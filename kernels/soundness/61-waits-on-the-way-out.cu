//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//warp-deadlock

// The first thread waits for the others at the barrier; those of its warp do not return,
// they wait for it at the exchange.

__global__ void waits(int *to) {
  if (threadIdx.x == 0)
    __syncthreads();
  to[threadIdx.x] = __shfl_sync(0xffffffff, threadIdx.x, 1);
}
