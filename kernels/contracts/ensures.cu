//pass
//--blockDim=64 --gridDim=2

// A postcondition about what the thread wrote.

__global__ void fill(int *a, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __ensures(a[i] == value);
  a[i] = value;
}
