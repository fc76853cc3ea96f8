//pass
//--blockDim=32 --gridDim=1

// All lanes come by, with one mask that names them all.

__global__ void two(const int *in, int *out, unsigned all) {
  __requires(all == 0xffffffff);
  int lane = threadIdx.x;
  int v = in[lane];
  v = __shfl_sync(0xffffffff, v, 0);
  v += __shfl_sync(all, v, 1);
  out[lane] = v;
}
