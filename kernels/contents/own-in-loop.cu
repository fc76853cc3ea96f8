//pass
//--blockDim=64 --gridDim=1

// In each iteration the place is stored, waited for and used.

__global__ void own_in_loop(int *out, int n) {
  __shared__ unsigned place[64];
  unsigned t = threadIdx.x;
  for (int i = 0; i < n; i++) {
    place[t] = (t + i) % 64;
    __syncthreads();
    out[place[t]] = t;
    __syncthreads();
  }
}
