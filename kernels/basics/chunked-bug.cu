//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=4
//race

// The loop runs one element into the next thread's chunk.

#define CHUNK 4

__global__ void square(int *a) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * CHUNK;
  for (int i = 0; i <= CHUNK; i++)
    a[first + i] *= a[first + i];
}
