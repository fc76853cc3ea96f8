//pass
//--blockDim=64 --gridDim=1

// A function that is declared to depend on its arguments alone touches no memory,
// whatever it is given.

__device__ __attribute__((const)) int weight(const int *a, int i);

__global__ void unknown_writes(const int *in, int *a) {
  a[threadIdx.x] = weight(in, threadIdx.x);
}
