//xfail:NOT_ALL_VERIFIED
//
//read-write-race

// Each block adds to a counter behind a fence; the one that comes last adds up what all have
// written. The counter is the second of two words, and the host sets the first.
__global__ void sum(const int *in, int *part, unsigned *count, int *total) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    part[blockIdx.x] = in[blockIdx.x];
    __threadfence();
    is_last = atomicAdd(count, 1) >= gridDim.x - 1;
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
  unsigned *count;
  cudaMalloc(&in, 4 * sizeof(int));
  cudaMalloc(&part, 4 * sizeof(int));
  cudaMalloc(&total, sizeof(int));
  cudaMalloc(&count, 2 * sizeof(unsigned));
  cudaMemset(count, 0, sizeof(unsigned));
  sum<<<4, 64>>>(in, part, count + 1, total);
}
