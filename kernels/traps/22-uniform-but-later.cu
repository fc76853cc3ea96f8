//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
//barrier-divergence

// i is computed alike by all threads, but they leave the loop at different times.

__global__ void later(int *out) {
  __shared__ int s[32];
  int tid = threadIdx.x;
  int i = 0;
  while (true) {
    i++;
    if (i > tid)
      break;
  }
  s[tid] = i;
  if (i > 3)
    __syncthreads();
  __syncthreads();
  out[tid] = s[31 - tid];
}
