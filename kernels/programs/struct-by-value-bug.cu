//xfail:NOT_ALL_VERIFIED
//
//race

// The rows that the struct describes overlap.
struct Rows {
  float *data;
  int stride, width;
  float factor;
};

__global__ void scale(Rows rows) {
  if (threadIdx.x < rows.width)
    rows.data[blockIdx.x * rows.stride + threadIdx.x] *= rows.factor;
}

int main() {
  Rows rows;
  rows.width = 100;
  rows.stride = 64;
  rows.factor = 0.5f;
  cudaMalloc(&rows.data, 32 * 128 * sizeof(float));
  scale<<<32, 128>>>(rows);
}
