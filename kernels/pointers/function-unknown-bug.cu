//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1

// Planted bug: nothing says which function the table holds. The host may store the
// address of one that Duet never sees, and that one may write anywhere.

typedef int (*function)(int);

__device__ int twice(int x) { return 2 * x; }

__device__ function table[2];

__global__ void remember() {
  if (threadIdx.x == 0)
    table[0] = twice;
}

__global__ void apply(int *out) {
  out[threadIdx.x] = table[1](threadIdx.x);
}
