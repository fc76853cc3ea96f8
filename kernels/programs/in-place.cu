//pass
//

// A kernel that is given the same memory for both of its pointers, for a number of elements
// that the host code does not show: each thread changes an element of its own.

int choose();

__global__ void twice(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = 2 * in[i];
}

int main() {
  int n = choose();
  int *data;
  if (n < 1 || n > 1 << 20)
    return 1;
  cudaMalloc(&data, n * sizeof(int));
  twice<<<(n + 63) / 64, 64>>>(data, data, n);
  cudaDeviceSynchronize();
  return 0;
}
