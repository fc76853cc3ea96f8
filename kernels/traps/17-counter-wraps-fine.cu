//pass
//--blockDim=64 --gridDim=1

// Plain addition does not start again.

__global__ void wraps(unsigned *counter, int *out) {
  out[atomicAdd(counter, 1u)] = threadIdx.x;
}
