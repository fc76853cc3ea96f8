//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
//write-write-race

// Rows start one cell apart instead of one row apart.

__global__ void rows(const int *in, int *out) {
  __shared__ int cells[4][32];
  int *row[4];
  for (int i = 0; i < 4; i++)
    row[i] = &cells[0][i];
  for (int i = 0; i < 4; i++)
    row[i][threadIdx.x] = in[i * 32 + threadIdx.x];
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < 4; i++)
    sum += row[i][31 - threadIdx.x];
  out[threadIdx.x] = sum;
}
