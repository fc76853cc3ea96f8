//xfail:NOT_ALL_VERIFIED
//
//race

// Two launches that differ in the size of a block only: the first is right, the second is not.
__global__ void fill(int *row) { row[blockIdx.x * 32 + threadIdx.x] = blockIdx.x; }

int main(int count, char **) {
  int *row;
  if (count < 2 || count > 64) return 1;
  cudaMalloc(&row, 4096 * sizeof(int));
  fill<<<count, 32>>>(row);
  fill<<<count, 64>>>(row);
}
