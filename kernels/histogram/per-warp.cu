//pass
//--blockDim=64 --gridDim=1

// Two sub-histograms, one per warp, added up at the end.

#define BINS 32

__global__ void histogram(const int *data, int *bins) {
  __shared__ int sub[2][BINS];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  sub[warp][lane] = 0;
  __syncwarp();
  atomicAdd(&sub[warp][data[threadIdx.x] & (BINS - 1)], 1);
  __syncthreads();
  if (threadIdx.x < BINS)
    bins[threadIdx.x] = sub[0][threadIdx.x] + sub[1][threadIdx.x];
}
