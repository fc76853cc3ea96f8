//pass
//--blockDim=32 --gridDim=1

// Everyone leaves the loop at the same time.

__global__ void later(int *out) {
  __shared__ int s[32];
  int tid = threadIdx.x;
  int i = 0;
  while (true) {
    i++;
    if (i > 20)
      break;
  }
  s[tid] = i;
  if (i > 3)
    __syncthreads();
  __syncthreads();
  out[tid] = s[31 - tid];
}
