//pass
//--blockDim=32 --gridDim=4

// The first thread of every block adds to the sum, atomically.

__global__ void sum(int *__restrict__ total, const int *__restrict__ part) {
  if (threadIdx.x == 0)
    atomicAdd(total, part[blockIdx.x]);
}
