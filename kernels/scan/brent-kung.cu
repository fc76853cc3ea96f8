//pass
//--blockDim=32 --gridDim=1

// Inclusive scan: the same upsweep as Blelloch's, then partial sums are spread over a forest.

#define N 64

__global__ void scan(int *data) {
  __shared__ int s[N];
  int tid = threadIdx.x;
  s[tid] = data[tid];
  s[tid + N / 2] = data[tid + N / 2];

  for (int stride = 1; stride <= N / 2; stride *= 2) {
    __syncthreads();
    int i = (tid + 1) * 2 * stride - 1;
    if (i < N)
      s[i] += s[i - stride];
  }
  for (int stride = N / 4; stride > 0; stride /= 2) {
    __syncthreads();
    int i = (tid + 1) * 2 * stride - 1;
    if (i + stride < N)
      s[i + stride] += s[i];
  }
  __syncthreads();
  data[tid] = s[tid];
  data[tid + N / 2] = s[tid + N / 2];
}
