//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=2 --may-alias
//race

// Planted bug: what is taken for a table that nobody writes may be the array that
// another block writes, so that two blocks read different entries.

__constant__ int table[4];

__global__ void entries(int *a, int *out) {
  a[blockIdx.x + 2] = 1;
  out[blockIdx.x ^ (table[0] & 1)] = blockIdx.x;
}
