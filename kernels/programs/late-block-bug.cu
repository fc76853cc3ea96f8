//xfail:NOT_ALL_VERIFIED
//
//write-write-race

// A block that is changed after the grid was made of it.
__global__ void number(int *out) { out[blockIdx.x * 128 + threadIdx.x] = threadIdx.x; }

int main() {
  const int n = 1 << 14;
  int *out;
  cudaMalloc(&out, (n + 128) * sizeof(int));
  dim3 block(256);
  block.x = 128;
  dim3 grid(n / block.x);
  block.x = 256;
  number<<<grid, block>>>(out);
}
