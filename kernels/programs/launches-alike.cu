//pass
//

// Two launches of the same constants, with other counts.
__global__ void fill(int *row) { row[blockIdx.x * 32 + threadIdx.x] = blockIdx.x; }

int main(int count, char **) {
  int *row;
  if (count < 2 || count > 64) return 1;
  cudaMalloc(&row, 4096 * sizeof(int));
  fill<<<count, 32>>>(row);
  fill<<<count + 1, 32>>>(row);
}
