//pass
//--blockDim=64 --gridDim=1

// All threads wait at one barrier, then each half does its work.

__global__ void smooth(float *__restrict__ a) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = a[t];
  __syncthreads();
  if (t < 32)
    a[t] = s[t] + s[63 - t];
  else
    a[t] = s[t] - s[63 - t];
}
