//prove:unproven
//

// The counter of 32 bits never reaches a limit of 64 bits.

//@ requires 0 <= n;
//@ ensures \forall long long j; 0 <= j < n ==> c[j] == a[j];
__global__ void k(int *c, const int *a, long long n) {
  for (unsigned i = blockDim.x * blockIdx.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) { c[i] = a[i]; }
}
