//pass
//--blockDim=64 --gridDim=1

// The pointer goes down until it is below the start of the array; then each thread writes
// an element of its own.

__global__ void down(const int *a, int *b, int n) {
  __requires(n > 0 && n < 100);
  int sum = 0;
  for (const int *p = a + n - 1; p >= a; --p)
    sum += *p;
  b[threadIdx.x] = sum;
}
