//xfail:NOT_ALL_VERIFIED
//--blockDim=16 --gridDim=1
//assertion-failed

// Planted bug: nobody says that there is at least one bin.

__global__ void bins(int *__restrict__ bin_of, int n) {
  __requires(n <= 1024);
  int bin = threadIdx.x * n / 16;
  __assert(bin < n);
  bin_of[threadIdx.x] = bin;
}
