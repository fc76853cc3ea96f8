//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=4
//read-write-race

// Reads the previous block's total from the array that is being updated.

__global__ void collect_totals(const int *scanned, int *totals) {
  if (threadIdx.x == blockDim.x - 1)
    totals[blockIdx.x] = scanned[blockIdx.x * blockDim.x + threadIdx.x];
}

__global__ void add_totals(int *scanned, const int *totals) {
  int sum = 0;
  for (int b = 0; b < blockIdx.x; b++)
    sum += scanned[b * blockDim.x + blockDim.x - 1];
  scanned[blockIdx.x * blockDim.x + threadIdx.x] += sum;
}
