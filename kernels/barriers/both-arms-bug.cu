//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//barrier-divergence

// Each arm has a barrier, but they are two different ones.

__global__ void arms(int *data) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = data[t];
  if (t < 32) {
    __syncthreads();
    data[t] = s[t + 32];
  } else {
    __syncthreads();
    data[t] = s[t - 32];
  }
}
