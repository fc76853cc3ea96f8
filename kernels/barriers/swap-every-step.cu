//pass
//--blockDim=64 --gridDim=2

// The buffers change places in every step.

__global__ void iterate(float *data, int steps) {
  __shared__ float buf[2][64];
  int t = threadIdx.x;
  int i = blockIdx.x * 64 + t;
  int from = 0;
  buf[0][t] = data[i];
  buf[1][t] = 0.0f;
  __syncthreads();
  for (int s = 0; s < steps; s++) {
    int to = 1 - from;
    float left = buf[from][(t + 63) % 64];
    float right = buf[from][(t + 1) % 64];
    buf[to][t] = 0.5f * (left + right);
    from = to;
    __syncthreads();
  }
  data[i] = buf[from][t];
}
