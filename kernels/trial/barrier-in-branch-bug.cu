//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//barrier-divergence

// Planted bug: half of the threads wait at one barrier, the others at another.

__global__ void smooth(float *__restrict__ a) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = a[t];
  if (t < 32) {
    __syncthreads();
    a[t] = s[t] + s[63 - t];
  } else {
    __syncthreads();
    a[t] = s[t] - s[63 - t];
  }
}
