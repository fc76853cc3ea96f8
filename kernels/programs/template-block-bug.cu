//xfail:NOT_ALL_VERIFIED
//
//race

// The block is twice the size that the kernel was made for.
template <int N> __global__ void reverse(int *data) {
  __shared__ int tile[N];
  int t = threadIdx.x;
  tile[N - 1 - t] = data[blockIdx.x * N + t];
  __syncthreads();
  data[blockIdx.x * N + t] = tile[t];
}

template <int N> static void run(int *data) { reverse<N><<<1024 / N, 2 * N>>>(data); }

int main() {
  int *data;
  cudaMalloc(&data, 1024 * sizeof(int));
  run<64>(data);
  run<128>(data);
}
