//xfail:NOT_ALL_VERIFIED
//
//out-of-bounds

// The object is told of one element too many before it ends.
__global__ void scale(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= 2.0f;
}

struct Finish {
  float *data;
  int n;
  ~Finish() { scale<<<(n + 31) / 32, 32>>>(data, n); }
};

int main() {
  Finish finish = {nullptr, 300};
  finish.n = 301;
  cudaMalloc(&finish.data, 300 * sizeof(float));
}
