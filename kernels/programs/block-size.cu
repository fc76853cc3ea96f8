//pass
//

// The kernel counts on blocks of 256 threads, and the host launches such.
__global__ void reverse_blocks(int *data) {
  __shared__ int tile[256];
  int t = threadIdx.x;
  tile[t] = data[blockIdx.x * 256 + t];
  __syncthreads();
  data[blockIdx.x * 256 + t] = tile[255 - t];
}

static void run(int *data, int blocks, int threads) { reverse_blocks<<<blocks, threads>>>(data); }

int main() {
  int *data;
  cudaMallocManaged(&data, 16 * 256 * sizeof(int));
  run(data, 16, 256);
  run(data, 8, 256);
}
