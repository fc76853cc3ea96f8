//xfail:NOT_ALL_VERIFIED
//
//race

// The program itself takes a size that is no multiple of 32.
__global__ void first_of_warps(int *out, const int *in) {
  int warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (threadIdx.x % 32 == 0) out[warp] = in[blockIdx.x * blockDim.x + threadIdx.x];
}

int main() {
  int *out, *in;
  cudaMalloc(&out, 1 << 20);
  cudaMalloc(&in, 1 << 25);
  first_of_warps<<<16, 48>>>(out, in);
}
