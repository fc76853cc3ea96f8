//xfail:NOT_ALL_VERIFIED
//--blockDim=256 --gridDim=8
//read-write-race

// The tree has no barrier between its levels.

__global__ void reduce(const float *in, float *out, unsigned n) {
  __shared__ float part[256];
  unsigned t = threadIdx.x;
  unsigned i = blockIdx.x * blockDim.x * 2 + t;
  float sum = i < n ? in[i] : 0.0f;
  if (i + blockDim.x < n)
    sum += in[i + blockDim.x];
  part[t] = sum;
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1)
    if (t < s)
      part[t] += part[t + s];
  if (t == 0)
    out[blockIdx.x] = part[0];
}
