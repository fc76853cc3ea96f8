//pass
//--blockDim=64 --gridDim=1

// A shared array of bools, one byte each.

__global__ void peaks(const int *in, bool *peak) {
  __shared__ bool rising[64];
  int t = threadIdx.x;
  rising[t] = in[t + 1] > in[t];
  __syncthreads();
  peak[t] = t > 0 && rising[t - 1] && !rising[t];
}
