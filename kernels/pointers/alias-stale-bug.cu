//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=1 --may-alias
//assertion-failed

// Planted bug: the write through one name changes what the other name reads.

__global__ void stale(int *a, int *b) {
  int before = b[0];
  a[0] = before + 1;
  __assert(b[0] == before);
}
