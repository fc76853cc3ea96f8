//pass
//--blockDim=64 --gridDim=1

// Every thread gets a number of its own, as long as the counter does not wrap around.

__global__ void wraps(int *a, unsigned *next) {
  unsigned i = atomicAdd(next, 4u);
  a[i] = threadIdx.x;
}
