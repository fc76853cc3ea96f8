//xfail:NOT_ALL_VERIFIED
//
//out-of-bounds

// One of two callers passes the count of the other array.
__global__ void scale(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= 2.0f;
}

static void scale_all(float *data, int count) {
  scale<<<(count + 127) / 128, 128>>>(data, count);
}

int main() {
  float *a, *b;
  cudaMalloc(&a, 1000 * sizeof(float));
  cudaMalloc(&b, 500 * sizeof(float));
  scale_all(a, 1000);
  scale_all(b, 1000);
}
