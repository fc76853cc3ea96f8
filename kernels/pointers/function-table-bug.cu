//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
//write-write-race

// Planted bug: all threads write one element. Only a run in which the table holds
// the function's address keeps the precondition.

typedef int (*function)(int);

__device__ int twice(int x) { return 2 * x; }

__device__ function table[2];

__global__ void apply(int *out) {
  __requires(table[1] == twice);
  out[0] = table[1](threadIdx.x);
}
