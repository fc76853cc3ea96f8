//pass
//--blockDim=64 --gridDim=2

// Each block reverses its part of an array.

__global__ void reverse(int *__restrict__ out, const int *__restrict__ in) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  int first = blockIdx.x * 64;
  tile[t] = in[first + t];
  __syncthreads();
  out[first + t] = tile[63 - t];
}
