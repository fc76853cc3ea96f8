//xfail:NOT_ALL_VERIFIED
//--blockDim=4 --gridDim=1
//invalid-pointer

// The fourth thread calls what lies beyond the table.

typedef int (*unary)(int);

__device__ int twice(int x) { return 2 * x; }
__device__ int half(int x) { return x / 2; }
__device__ int same(int x) { return x; }

__constant__ unary functions[3] = {twice, half, same};

__global__ void apply(int *out) { out[threadIdx.x] = functions[threadIdx.x](threadIdx.x); }
