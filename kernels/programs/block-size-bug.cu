//xfail:NOT_ALL_VERIFIED
//
//race

// The kernel counts on blocks of 256 threads, and the host launches 512: blocks reach into
// the parts of others.
__global__ void reverse_blocks(int *data) {
  __shared__ int tile[512];
  int t = threadIdx.x;
  tile[t] = data[blockIdx.x * 256 + t];
  __syncthreads();
  data[blockIdx.x * 256 + t] = tile[511 - t];
}

static void run(int *data, int blocks, int threads) { reverse_blocks<<<blocks, threads>>>(data); }

int main() {
  int *data;
  cudaMallocManaged(&data, 17 * 256 * sizeof(int));
  run(data, 16, 512);
}
