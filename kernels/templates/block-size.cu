//pass
//--blockDim=64 --gridDim=2

// The block's size and the element type are template parameters.

template <typename T, int BLOCK>
__device__ T block_sum(T value, T *scratch) {
  scratch[threadIdx.x] = value;
  __syncthreads();
#pragma unroll
  for (int k = BLOCK / 2; k > 0; k /= 2) {
    if (threadIdx.x < k)
      scratch[threadIdx.x] += scratch[threadIdx.x + k];
    __syncthreads();
  }
  return scratch[0];
}

template <typename T, int BLOCK>
__global__ void sum(const T *in, T *out) {
  __shared__ T scratch[BLOCK];
  T total = block_sum<T, BLOCK>(in[blockIdx.x * BLOCK + threadIdx.x], scratch);
  if (threadIdx.x == 0)
    out[blockIdx.x] = total;
}

template __global__ void sum<int, 64>(const int *, int *);
template __global__ void sum<double, 64>(const double *, double *);
