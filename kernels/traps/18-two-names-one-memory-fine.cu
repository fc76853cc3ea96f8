//pass
//--blockDim=64 --gridDim=1

// The second array is used from where the first one ends.

extern __shared__ int a[];
extern __shared__ float f[];

__global__ void names(float *out) {
  int tid = threadIdx.x;
  a[tid] = 1;
  f[64 + tid] = 0.5f;
  __syncthreads();
  out[tid] = a[tid] + f[64 + (tid + 1) % 64];
}
