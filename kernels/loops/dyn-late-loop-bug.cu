//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//assertion-failed

// What may be guessed about the second loop, that the variable never falls below its
// first value, does not hold.

__global__ void late(int *out, int n) {
  __requires(n == 4000);
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += i;
  int low = threadIdx.x;
  for (int j = 0; j < 9; j++)
    low = (low + 7) % 64;
  __assert(low >= threadIdx.x);
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum + low;
}
