//xfail:NOT_ALL_VERIFIED
//
//race

// The switch chooses the instance for 64 threads where it found 128: two threads write each
// element of the tile.

#include <cstdlib>

template <int Threads>
__global__ void reversed(const int *in, int *out) {
  __shared__ int tile[Threads];
  tile[threadIdx.x % Threads] = in[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  out[blockIdx.x * Threads + threadIdx.x] = tile[Threads - 1 - threadIdx.x];
}

static int power_below(int n) {
  int size = 1;
  while (size * 2 <= n && size < 256)
    size *= 2;
  return size;
}

int main(int argc, char **argv) {
  int threads = power_below(atoi(argv[1]));
  int *in, *out;
  cudaMalloc(&in, 2 * 256 * sizeof(int));
  cudaMalloc(&out, 2 * 256 * sizeof(int));
  switch (threads) {
  case 256:
    reversed<256><<<2, threads>>>(in, out);
    break;
  case 128:
    reversed<64><<<2, threads>>>(in, out);
    break;
  case 64:
    reversed<64><<<2, threads>>>(in, out);
    break;
  default:
    break;
  }
  return 0;
}
