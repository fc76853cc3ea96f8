//xfail:NOT_ALL_VERIFIED
//--blockDim=128 --gridDim=4
//read-write-race

// The right child is one element too far, where the next thread's left child is.

#define LENGTH 256

__global__ void scan(const int *in, int *out, int *sums, int n) {
  __shared__ int temp[LENGTH + 1];
  int t = threadIdx.x;
  int base = blockIdx.x * LENGTH;
  temp[2 * t] = base + 2 * t < n ? in[base + 2 * t] : 0;
  temp[2 * t + 1] = base + 2 * t + 1 < n ? in[base + 2 * t + 1] : 0;
  int offset = 1;
  for (int d = LENGTH >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) {
      int left = offset * (2 * t + 1) - 1;
      int right = offset * (2 * t + 2);
      temp[right] += temp[left];
    }
    offset *= 2;
  }
  __syncthreads();
  if (t == 0)
    sums[blockIdx.x] = temp[LENGTH - 1];
  if (base + 2 * t < n)
    out[base + 2 * t] = temp[2 * t];
  if (base + 2 * t + 1 < n)
    out[base + 2 * t + 1] = temp[2 * t + 1];
}
