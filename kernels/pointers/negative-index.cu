//pass
//--blockDim=64 --gridDim=1

// The array is addressed downwards from its end.

__global__ void from_the_end(int *a, int n) {
  __requires(n == 64);
  int *end = a + n;
  int i = threadIdx.x;
  end[-1 - i] = i;
}
