//pass
//--blockDim=32 --gridDim=2

// Every ticket buys a run of four elements. The proof needs that tickets are four apart, not only distinct.

__global__ void reserve(unsigned *next, int *out) {
  unsigned first = atomicAdd(next, 4u);
  for (int i = 0; i < 4; i++)
    out[first + i] = threadIdx.x;
}
