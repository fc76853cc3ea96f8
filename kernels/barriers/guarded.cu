//pass
//--blockDim=128 --gridDim=4

// All threads wait, also those beyond the end.

__global__ void smooth(const float *in, float *out, int n, int last) {
  __shared__ float tile[128];
  int t = threadIdx.x;
  int gid = blockIdx.x * blockDim.x + t;
  tile[t] = in[gid < n ? gid : last];
  __syncthreads();
  float left = t > 0 ? tile[t - 1] : tile[t];
  out[gid] = 0.5f * (left + tile[t]);
}
