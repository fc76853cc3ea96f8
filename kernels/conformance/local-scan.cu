//pass
//--blockDim=64 --gridDim=4

// The CUDA version of local-scan.cl: dynamic shared memory instead of a local array.

extern __shared__ unsigned s[];

__global__ void local_scan(unsigned *out, const unsigned *a) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned l = threadIdx.x;
  s[l] = a[i];
  __syncthreads();
  for (unsigned step = 1; step < 64; step <<= 1) {
    unsigned left = l >= step ? s[l - step] : 0;
    __syncthreads();
    s[l] += left;
    __syncthreads();
  }
  out[i] = s[l];
}
