//pass
//--blockDim=64 --gridDim=2 --may-alias

// Race-free even if the two parameters are one array: each thread keeps to its own
// element, and both arrays are only read elsewhere.

__global__ void copy(int *a, const int *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] += 1;
}
