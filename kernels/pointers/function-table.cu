//pass
//--blockDim=32 --gridDim=1

// A function is called through a table of which a precondition says what it holds.

typedef int (*function)(int);

__device__ int twice(int x) { return 2 * x; }

__device__ function table[2];

__global__ void apply(int *out) {
  __requires(table[1] == twice);
  out[threadIdx.x] = table[1](threadIdx.x);
}
