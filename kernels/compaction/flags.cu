//pass
//--blockDim=64 --gridDim=2

// The first stage of compaction: one flag per element.

__global__ void mark(const int *data, int *flag, int threshold) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  flag[i] = data[i] > threshold ? 1 : 0;
}
