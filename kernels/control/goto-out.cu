//pass
//--blockDim=32 --gridDim=1

// A goto leaves two loops at once.

__global__ void find(const int *matrix, int key, int *row, int *col) {
  int t = threadIdx.x;
  int i, j = 0;
  for (i = 0; i < 4; i++)
    for (j = 0; j < 4; j++)
      if (matrix[(t * 4 + i) * 4 + j] == key)
        goto found;
found:
  row[t] = i;
  col[t] = j;
}
