//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2

// Planted bug: lanes from 16 on wait for all of them, also for those at the ballot's shuffle.

__global__ void sums(const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  int v = in[i];
  unsigned some = __ballot_sync(0xffffffff, lane < 24);
  if (lane >= 16)
    v += __shfl_sync(0xffffffff, v, 1);
  if (lane < 24)
    v += __shfl_xor_sync(some, v, 1);
  out[i] = v;
}
