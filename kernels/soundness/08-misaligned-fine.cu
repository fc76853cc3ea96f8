//pass
//--blockDim=64 --gridDim=1

// The places are whole ints apart.

__global__ void aligned(char *a) {
  *(int *)(a + sizeof(int) * threadIdx.x) = threadIdx.x;
}
