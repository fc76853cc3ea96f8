//pass
//--check-array-bounds

// As many elements as threads.
__global__ void number(int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = i;
}

int main() {
  const int n = 4096;
  int *out;
  if (cudaMalloc(&out, n * sizeof(int)) != cudaSuccess) return 1;
  number<<<n / 128, 128>>>(out);
}
