//xfail:NOT_ALL_VERIFIED
//--blockDim=16 --gridDim=1
//write-write-race

// The root is not cleared, so the places are no prescan.

#define N 16

__global__ void compact(const int *in, int *out, int threshold) {
  __shared__ int flag[N];
  __shared__ int idx[N];
  int tid = threadIdx.x;
  int value = in[tid];
  flag[tid] = value > threshold ? 1 : 0;
  idx[tid] = flag[tid];

  int offset = 1;
  for (int d = N / 2; d > 0; d /= 2) {
    __syncthreads();
    if (tid < d) {
      int left = offset * (2 * tid + 1) - 1;
      int right = offset * (2 * tid + 2) - 1;
      idx[right] += idx[left];
    }
    offset *= 2;
  }
  if (tid == 0)
    idx[N - 1] = -idx[N - 1];
  for (int d = 1; d < N; d *= 2) {
    offset /= 2;
    __syncthreads();
    if (tid < d) {
      int left = offset * (2 * tid + 1) - 1;
      int right = offset * (2 * tid + 2) - 1;
      int temp = idx[left];
      idx[left] = idx[right];
      idx[right] += temp;
    }
  }
  __syncthreads();
  if (flag[tid])
    out[idx[tid] & 3] = tid;
}
