//pass
//--blockDim=64 --gridDim=4

// Each block diffuses its part by itself; reading and writing are apart.

__global__ void diffuse(const float *u, float *v, float rate, int n, int steps) {
  __shared__ float s[66];
  int t = threadIdx.x + 1;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[t] = i < n ? u[i] : 0.0f;
  if (threadIdx.x == 0)
    s[0] = i > 0 ? u[i - 1] : 0.0f;
  if (threadIdx.x == blockDim.x - 1)
    s[t + 1] = i + 1 < n ? u[i + 1] : 0.0f;
  __syncthreads();
  for (int k = 0; k < steps; k++) {
    float next = s[t] + rate * (s[t - 1] - 2.0f * s[t] + s[t + 1]);
    __syncthreads();
    s[t] = next;
    __syncthreads();
  }
  if (i < n)
    v[i] = s[t];
}
