//pass
//

// A launch in a destructor.
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
  cudaMalloc(&finish.data, 300 * sizeof(float));
}
