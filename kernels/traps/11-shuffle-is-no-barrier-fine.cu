//pass
//--blockDim=32 --gridDim=1

// A warp barrier does.

__global__ void shuffle(const int *in, int *out) {
  __shared__ int s[32];
  int lane = threadIdx.x;
  int v = in[lane];
  s[lane] = v;
  int d = __shfl_sync(0xffffffff, v, 0);
  __syncwarp();
  out[lane] = s[lane ^ 1] + d;
}
