//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// Every second iteration two threads share a place.

__global__ void own_in_loop(int *out, int n) {
  __shared__ unsigned place[64];
  unsigned t = threadIdx.x;
  for (int i = 0; i < n; i++) {
    place[t] = (t + i) % 64 >> (i & 1);
    __syncthreads();
    out[place[t]] = t;
    __syncthreads();
  }
}
