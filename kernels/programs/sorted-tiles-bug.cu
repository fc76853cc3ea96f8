//xfail:NOT_ALL_VERIFIED
//
//read-write-race

// The memory of the sort is used again without a barrier.
#include <cub/block/block_radix_sort.cuh>

__global__ void sort(const int *in, int *out) {
  typedef cub::BlockRadixSort<int, 128, 2> Sort;
  __shared__ Sort::TempStorage memory;
  int keys[2];
  int first = (blockIdx.x * 128 + threadIdx.x) * 2;
  for (int i = 0; i < 2; i++) keys[i] = in[first + i];
  Sort(memory).Sort(keys);
  Sort(memory).SortDescending(keys);
  for (int i = 0; i < 2; i++) out[first + i] = keys[i];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 8 * 256 * sizeof(int));
  cudaMalloc(&out, 8 * 256 * sizeof(int));
  sort<<<8, 128>>>(in, out);
}
