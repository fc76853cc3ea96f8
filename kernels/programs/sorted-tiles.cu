//pass
//

// A sort of each block's part, and a lambda that an algorithm of the library is given.
#include <cub/block/block_radix_sort.cuh>
#include <thrust/device_vector.h>
#include <thrust/for_each.h>

__global__ void sort(const int *in, int *out) {
  typedef cub::BlockRadixSort<int, 128, 2> Sort;
  __shared__ Sort::TempStorage memory;
  int keys[2];
  int first = (blockIdx.x * 128 + threadIdx.x) * 2;
  for (int i = 0; i < 2; i++) keys[i] = in[first + i];
  Sort(memory).Sort(keys);
  for (int i = 0; i < 2; i++) out[first + i] = keys[i];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 8 * 256 * sizeof(int));
  cudaMalloc(&out, 8 * 256 * sizeof(int));
  sort<<<8, 128>>>(in, out);
  thrust::device_vector<int> counts(8);
  thrust::for_each(counts.begin(), counts.end(), [] __device__(int &count) { count = 0; });
}
