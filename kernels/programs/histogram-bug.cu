//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//race

// The bins are merged without waiting for the counting.

#include <cstdio>
#include <vector>

constexpr int kBins = 32;

__global__ void histogram(const unsigned char *data, unsigned *bins, int n) {
  __requires(n == 500);
  __shared__ unsigned local[kBins];
  for (int b = threadIdx.x; b < kBins; b += blockDim.x)
    local[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&local[data[i] % kBins], 1u);
  for (int b = threadIdx.x; b < kBins; b += blockDim.x)
    atomicAdd(&bins[b], local[b]);
}

int main() {
  std::vector<unsigned char> data(500);
  for (size_t i = 0; i < data.size(); i++)
    data[i] = i * 7;
  std::vector<unsigned> bins(kBins, 0u);

  unsigned char *d_data = nullptr;
  unsigned *d_bins = nullptr;
  cudaMalloc(&d_data, data.size());
  cudaMalloc(&d_bins, kBins * sizeof(unsigned));
  cudaMemset(d_bins, 0, kBins * sizeof(unsigned));
  cudaMemcpy(d_data, data.data(), data.size(), cudaMemcpyHostToDevice);

  dim3 block(64), grid(2);
  histogram<<<grid, block>>>(d_data, d_bins, (int)data.size());
  cudaDeviceSynchronize();

  cudaMemcpy(bins.data(), d_bins, kBins * sizeof(unsigned), cudaMemcpyDeviceToHost);
  for (unsigned b : bins)
    std::printf("%u\n", b);
  cudaFree(d_data);
  cudaFree(d_bins);
}
