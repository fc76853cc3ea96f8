//pass
//--blockDim=64 --gridDim=1

// The annotation reads just the byte that the thread accessed.

__global__ void part() {
  __shared__ int s[64];
  unsigned t = threadIdx.x, next = (t + 1) & 63;
  s[t] = 0;
  __syncthreads();
  ((char *)s)[4 * t] = 5;
  ((char *)s)[4 * next + 1] = 1;
  __unsafe_assert(((char *)s)[4 * t] == 5);
}
