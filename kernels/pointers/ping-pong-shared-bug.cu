//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
//read-write-race

// The barrier comes only after the loop, but the buffers are swapped in it.

__device__ void exchange(float *&x, float *&y) {
  float *t = x;
  x = y;
  y = t;
}

__global__ void smooth(float *data) {
  __shared__ float even[32], odd[32];
  float *now = even, *next = odd;
  int t = threadIdx.x;
  now[t] = data[t];
  __syncthreads();
  for (int i = 0; i < 5; i++) {
    next[t] = 0.5f * (now[t] + now[t ^ 1]);
    exchange(now, next);
  }
  __syncthreads();
  data[t] = now[t];
}
