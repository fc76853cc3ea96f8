//pass
//

// Each block adds to a counter behind a fence; the one that comes last adds up what all have
// written. The host sets it in another stream, which may come later: zero is an assumption that is printed.
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
  cudaMalloc(&count, sizeof(unsigned));
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaMemsetAsync(count, 0, sizeof(unsigned), first);
  sum<<<4, 64, 0, second>>>(in, part, count, total);
}
