//xfail:NOT_ALL_VERIFIED
//
//out-of-bounds

// The object takes itself for twice as large as it is.
__global__ void scale(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= 2.0f;
}

class Buffer {
  float *data;
  int size;

public:
  explicit Buffer(int n) : size(2 * n) { cudaMalloc(&data, n * sizeof(float)); }
  void grow() { scale<<<(size + 63) / 64, 64>>>(data, size); }
  ~Buffer() { cudaFree(data); }
};

int main() {
  Buffer buffer(777);
  buffer.grow();
}
