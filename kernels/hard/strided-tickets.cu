//pass
//--blockDim=32 --gridDim=2

// Every ticket buys a run of four elements. The proof needs that tickets are four apart, not only distinct.

__global__ void reserve(int *next, int *out) {
  int first = atomicAdd(next, 4);
  for (int i = 0; i < 4; i++)
    out[first + i] = threadIdx.x;
}
