//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//read-write-race

// The second pointer is stored as a number, so that the table seems to hold only the
// first.

__global__ void pointer_as_number(int *a, int *b, int *out) {
  int *table[100];
  table[0] = a;
  ((size_t *)table)[1] = (size_t)b;
  b[threadIdx.x] = 1;
  out[threadIdx.x] = table[1][threadIdx.x + 1];
}
