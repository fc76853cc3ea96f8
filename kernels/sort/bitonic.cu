//pass
//--blockDim=32 --gridDim=1

// Bitonic sort of 32 keys in shared memory; the thread with the lower index exchanges.

__global__ void sort(int *values) {
  __shared__ int s[32];
  unsigned tid = threadIdx.x;
  s[tid] = values[tid];
  __syncthreads();
  for (unsigned k = 2; k <= 32; k *= 2) {
    for (unsigned j = k / 2; j > 0; j /= 2) {
      unsigned other = tid ^ j;
      if (other > tid) {
        bool ascending = (tid & k) == 0;
        if ((s[tid] > s[other]) == ascending) {
          int t = s[tid];
          s[tid] = s[other];
          s[other] = t;
        }
      }
      __syncthreads();
    }
  }
  values[tid] = s[tid];
}
