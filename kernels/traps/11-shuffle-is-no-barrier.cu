//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
//read-write-race

// A shuffle exchanges values between lanes but orders no memory.

__global__ void shuffle(const int *in, int *out) {
  __shared__ int s[32];
  int lane = threadIdx.x;
  int v = in[lane];
  s[lane] = v;
  int d = __shfl_sync(0xffffffff, v, 0);
  out[lane] = s[lane ^ 1] + d;
}
