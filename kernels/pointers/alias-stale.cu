//pass
//--blockDim=1 --gridDim=1

// The same with distinct arrays, the default.

__global__ void stale(int *a, int *b) {
  int before = b[0];
  a[0] = before + 1;
  __assert(b[0] == before);
}
