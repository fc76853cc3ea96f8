//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=4
//read-write-race

// The barrier in the loop is missing.

#include <cstdio>
#include <numeric>
#include <vector>

#define CHECK(call)                                                      \
  do {                                                                   \
    cudaError_t error = (call);                                          \
    if (error != cudaSuccess)                                            \
      fprintf(stderr, "%s\n", cudaGetErrorString(error));                \
  } while (0)

template <typename T>
__device__ T *dynamic_shared() {
  extern __shared__ double memory[];
  return reinterpret_cast<T *>(memory);
}

template <typename T>
__global__ void sum(const T *in, T *out) {
  T *s = dynamic_shared<T>();
  unsigned t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned k = blockDim.x / 2; k > 0; k /= 2) {
    if (t < k)
      s[t] += s[t + k];
  }
  if (t == 0)
    out[blockIdx.x] = s[0];
}

template <typename T>
T run(const std::vector<T> &values) {
  T *in, *out;
  std::vector<T> partial(4);
  CHECK(cudaMalloc(&in, values.size() * sizeof(T)));
  CHECK(cudaMalloc(&out, partial.size() * sizeof(T)));
  CHECK(cudaMemcpy(in, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  sum<T><<<4, 64, 64 * sizeof(T)>>>(in, out);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(partial.data(), out, partial.size() * sizeof(T), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  return std::accumulate(partial.begin(), partial.end(), T());
}

int main() {
  std::printf("%d\n", run(std::vector<int>(256, 1)));
  std::printf("%f\n", run(std::vector<double>(256, 0.5)));
  return 0;
}
