//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=4
//race

// In the second half a thread takes a node of its neighbour's.
__global__ void scan(float *data) {
  __shared__ float temp[128];
  int tid = threadIdx.x;
  int base = 128 * blockIdx.x;
  temp[2 * tid] = data[base + 2 * tid];
  temp[2 * tid + 1] = data[base + 2 * tid + 1];
  int offset = 1;
  for (int d = 64; d > 0; d >>= 1) {
    __syncthreads();
    if (tid < d) {
      int ai = offset * (2 * tid + 1) - 1;
      int bi = offset * (2 * tid + 2) - 1;
      temp[bi] += temp[ai];
    }
    offset *= 2;
  }
  if (tid == 0)
    temp[127] = 0;
  for (int d = 1; d < 128; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (tid < d) {
      int ai = offset * (2 * tid + 1) - 1;
      int bi = offset * (2 * (tid == 1 ? 0 : tid) + 2) - 1;
      float t = temp[ai];
      temp[ai] = temp[bi];
      temp[bi] += t;
    }
  }
  __syncthreads();
  data[base + 2 * tid] = temp[2 * tid];
  data[base + 2 * tid + 1] = temp[2 * tid + 1];
}
