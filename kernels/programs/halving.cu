//pass
//

// A sum by halves: a launch for each step, the upper half added to the lower one.
__global__ void add_half(int *data, int half) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < half) data[i] += data[i + half];
}

int main() {
  const int n = 1 << 16;
  int *data;
  cudaMalloc(&data, n * sizeof(int));
  for (int half = n / 2; half > 0; half /= 2)
    add_half<<<(half + 127) / 128, 128>>>(data, half);
}
