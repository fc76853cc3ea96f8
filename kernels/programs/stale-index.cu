//pass
//

// A block agrees on a place, and writes there.
__global__ void place(int *data, int at) {
  __shared__ int start;
  if (threadIdx.x == 0) start = at;
  __syncthreads();
  data[blockIdx.x * 64 + threadIdx.x] = start;
}

int main() {
  int *data;
  cudaMalloc(&data, 8 * 64 * sizeof(int));
  place<<<8, 64>>>(data, 3);
}
