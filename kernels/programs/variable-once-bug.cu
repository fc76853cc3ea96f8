//xfail:NOT_ALL_VERIFIED
//
//read-write-race

// The counter is a variable of the device that starts at three, not at zero: every block is
// the last one.
__device__ unsigned count = 3;

__global__ void sum(const int *in, int *part, int *total) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    part[blockIdx.x] = in[blockIdx.x];
    __threadfence();
    is_last = atomicAdd(&count, 1) >= gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    int all = 0;
    for (unsigned i = 0; i < gridDim.x; i++)
      all += part[i];
    total[0] = all;
  }
}

int main() {
  int *in, *part, *total;
  cudaMalloc(&in, 4 * sizeof(int));
  cudaMalloc(&part, 4 * sizeof(int));
  cudaMalloc(&total, sizeof(int));
  sum<<<4, 64>>>(in, part, total);
}
