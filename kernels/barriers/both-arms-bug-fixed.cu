//pass
//--blockDim=64 --gridDim=1

// The barrier is before the branch.

__global__ void arms(int *data) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = data[t];
  __syncthreads();
  if (t < 32)
    data[t] = s[t + 32];
  else
    data[t] = s[t - 32];
}
