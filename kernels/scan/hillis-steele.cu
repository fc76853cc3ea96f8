//pass
//--blockDim=64 --gridDim=1

// Inclusive scan in place: everyone reads, barrier, everyone writes, barrier.

__global__ void scan(int *data) {
  __shared__ int s[64];
  int tid = threadIdx.x;
  s[tid] = data[tid];
  __syncthreads();
  for (int offset = 1; offset < 64; offset *= 2) {
    int left = tid >= offset ? s[tid - offset] : 0;
    __syncthreads();
    s[tid] += left;
    __syncthreads();
  }
  data[tid] = s[tid];
}
