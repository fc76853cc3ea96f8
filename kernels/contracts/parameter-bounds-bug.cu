//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2 --check-array-bounds --kernel-arrays=copy,512,512
//out-of-bounds

// The last thread reads past the end.

__global__ void copy(int *out, const int *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i + 1];
}
