//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
//race

// Phases are not separated.

#define N 64

__global__ void sort(int *keys) {
  __shared__ int s[N];
  int tid = threadIdx.x;
  s[tid] = keys[tid];
  s[tid + N / 2] = keys[tid + N / 2];
  __syncthreads();
  for (int phase = 0; phase < N; phase++) {
    int left = 2 * tid + (phase & 1);
    if (left + 1 < N && s[left] > s[left + 1]) {
      int t = s[left];
      s[left] = s[left + 1];
      s[left + 1] = t;
    }
  }
  __syncthreads();
  keys[tid] = s[tid];
  keys[tid + N / 2] = s[tid + N / 2];
}
