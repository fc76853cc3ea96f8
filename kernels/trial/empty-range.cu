//pass
//--blockDim=16 --gridDim=1

// Sixteen threads are spread over some bins.

__global__ void bins(int *__restrict__ bin_of, int n) {
  __requires(n > 0);
  __requires(n <= 1024);
  int bin = threadIdx.x * n / 16;
  __assert(bin < n);
  bin_of[threadIdx.x] = bin;
}
