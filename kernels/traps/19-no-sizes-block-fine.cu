//pass
//

// The global id is distinct in one dimension, and the other dimensions are never read.

__global__ void increment(int *out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}
