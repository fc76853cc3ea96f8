//pass
//--blockDim=64 --gridDim=1

// Whole ints apart, or at the same place, beside bytes of the same array elsewhere.

__global__ void aligned_atomics(char *a) {
  atomicAdd((int *)(a + sizeof(int) * (threadIdx.x / 2)), 1);
  a[1024 + threadIdx.x] = 1;
}
