//xfail:NOT_ALL_VERIFIED
//
//out-of-bounds

// Each allocation is half as large as the kernel is told.
__global__ void copy(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i];
}

int main() {
  const int n = 1024;
  float *part[2];
  for (int i = 0; i < 2; i++) cudaMalloc(&part[i], n / 2 * sizeof(float));
  copy<<<n / 128, 128>>>(part[0], part[1], n);
}
