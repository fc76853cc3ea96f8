//xfail:UNPROVEN
//
//it fails if

// A sum of pairs that is given the same memory for both of its pointers: with two blocks or
// more, one writes what another reads. Whether the program is ever run so, the host code does
// not show.

int choose();

__global__ void pairs(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  if (i < n)
    sum = in[2 * i] + in[2 * i + 1];
  __syncthreads();
  if (i < n)
    out[i] = sum;
}

int main() {
  int n = choose();
  int *data;
  if (n < 1 || n > 1 << 20)
    return 1;
  cudaMalloc(&data, 2 * n * sizeof(int));
  pairs<<<(n + 63) / 64, 64>>>(data, data, n);
  cudaDeviceSynchronize();
  return 0;
}
