//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// Planted bug: the last element of a row is the first of the next one.

__global__ void rows(int *out) {
  for (int i = 0; i < 17; i++)
    out[16 * threadIdx.x + i] = i;
}
