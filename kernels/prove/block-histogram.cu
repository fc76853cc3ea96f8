//prove:proved
//

// What each block counts of its own elements, in shared memory.

//@ requires blockDim.x == 64;
//@ ensures \forall int g, b; 0 <= g < gridDim.x && 0 <= b < 64 ==>
//@   hist[64 * g + b] == (unsigned)\count(int j; 64 * g <= j < 64 * g + 64; data[j] % 64 == b);
__global__ void count(unsigned *hist, const unsigned *data) {
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x, i = blockIdx.x * 64 + t;
  s[t] = 0;
  __syncthreads();
  atomicAdd(&s[data[i] % 64], 1u);
  __syncthreads();
  hist[i] = s[t];
}
