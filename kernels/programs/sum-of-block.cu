//pass
//

// A collective of CUB adds the values of a block.
#include <cub/cub.cuh>

__global__ void sums(int *out, const int *in) {
  typedef cub::BlockReduce<int, 64> Reduce;
  __shared__ Reduce::TempStorage memory;
  int sum = Reduce(memory).Sum(in[blockIdx.x * 64 + threadIdx.x]);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

int main() {
  int *out, *in;
  cudaMalloc(&out, 8 * sizeof(int));
  cudaMalloc(&in, 8 * 64 * sizeof(int));
  sums<<<8, 64>>>(out, in);
}
