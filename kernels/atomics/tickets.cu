//pass
//--blockDim=64 --gridDim=2

// Every thread draws a ticket and writes the place that it names.

__global__ void draw(unsigned *next, int *owner) {
  unsigned ticket = atomicAdd(next, 1u);
  owner[ticket] = blockIdx.x * blockDim.x + threadIdx.x;
}
