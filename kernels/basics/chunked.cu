//pass
//--blockDim=32 --gridDim=4

// Every thread owns four consecutive elements.

#define CHUNK 4

__global__ void square(int *a) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * CHUNK;
  for (int i = 0; i < CHUNK; i++)
    a[first + i] *= a[first + i];
}
