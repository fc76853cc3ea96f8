//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
//read-write-race

// The floats overwrite the ints while they are being read.

__global__ void reuse(const int *in, float *out) {
  __shared__ union {
    int whole[32];
    float real[32];
  } u;
  int t = threadIdx.x;
  u.whole[t] = in[t];
  __syncthreads();
  int v = u.whole[31 - t];
  u.real[t] = v * 0.5f;
  __syncthreads();
  out[t] = u.real[t ^ 1];
}
