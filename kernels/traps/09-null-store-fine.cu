//pass
//--blockDim=64 --gridDim=1

// No thread gets to the store.

__global__ void null_store(int *out) {
  int c = threadIdx.x;
  int *p = 0;
  if (c == 64)
    *p = 1;
  out[c] = 1;
}
