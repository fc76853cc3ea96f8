//pass
//--blockDim=32 --gridDim=2

// A variadic sum over several input arrays.

__device__ int sum_at(int) { return 0; }

template <typename... Rest>
__device__ int sum_at(int i, const int *first, Rest... rest) {
  return first[i] + sum_at(i, rest...);
}

__global__ void add(const int *a, const int *b, const int *c, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = sum_at(i, a, b, c);
}
