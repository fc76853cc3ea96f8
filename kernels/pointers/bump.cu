//pass
//--blockDim=32 --gridDim=2

// The pointer itself walks through the array.

__global__ void walk(int *a) {
  int *p = a + blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < 8; i++) {
    *p += i;
    p += blockDim.x * gridDim.x;
  }
}
