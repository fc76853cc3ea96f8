//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//read-write-race

// All dynamic shared arrays of a kernel start at the same address.

extern __shared__ int a[];
extern __shared__ float f[];

__global__ void names(float *out) {
  int tid = threadIdx.x;
  a[tid] = 1;
  out[tid] = f[(tid + 1) % 64];
}
