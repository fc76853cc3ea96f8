//pass
//--blockDim=64 --gridDim=2

// Threads past the end do no work but still meet every barrier.

__global__ void smooth(const float *in, float *out, int n) {
  __requires(n == 100);
  __shared__ float s[64];
  int t = threadIdx.x;
  int gid = blockIdx.x * blockDim.x + t;
  s[t] = gid < n ? in[gid] : 0.0f;
  __syncthreads();
  if (gid < n)
    out[gid] = 0.5f * (s[t] + s[t > 0 ? t - 1 : 0]);
}
