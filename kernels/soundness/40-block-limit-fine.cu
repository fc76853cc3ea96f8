//pass
//--gridDim=1

// A block has at most 1024 threads: no run of a larger one refutes anything.

__global__ void block_limit(int *a) {
  int flat = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  a[flat & 1023] = flat;
}
