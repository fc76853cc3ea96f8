//pass
//--blockDim=64 --gridDim=1

// Candidate invariants, r6: a thread that does not enter the loop has the log that it had.

__global__ void log_kept(int *out) {
  __shared__ int s[128];
  s[threadIdx.x] = 1;
  if (threadIdx.x == 0)
    for (int i = 0; i < 64; i++)
      s[64 + i] = i;
  __syncthreads();
  out[threadIdx.x] = s[127 - threadIdx.x];
}
