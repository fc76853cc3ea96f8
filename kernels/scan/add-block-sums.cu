//pass
//--blockDim=32 --gridDim=4

// The last step of a multi-block scan, and the copy of the blocks' totals: two kernels in one file.

__global__ void collect_totals(const int *scanned, int *totals) {
  if (threadIdx.x == blockDim.x - 1)
    totals[blockIdx.x] = scanned[blockIdx.x * blockDim.x + threadIdx.x];
}

__global__ void add_totals(int *scanned, const int *totals) {
  int sum = 0;
  for (int b = 0; b < blockIdx.x; b++)
    sum += totals[b];
  scanned[blockIdx.x * blockDim.x + threadIdx.x] += sum;
}
