//xfail:NOT_ALL_VERIFIED
//
//read-write-race

// The same kernel, given a distance and a count that differ.
__global__ void add_half(int *data, int half, int distance) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < half) data[i] += data[i + distance];
}

int main() {
  const int n = 1 << 10;
  int *data;
  cudaMalloc(&data, n * sizeof(int));
  add_half<<<(n / 2 + 127) / 128, 128>>>(data, n / 2, n / 4);
}
