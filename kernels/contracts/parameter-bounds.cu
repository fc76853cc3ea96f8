//pass
//--blockDim=64 --gridDim=2 --check-array-bounds --kernel-arrays=copy,512,512

// The sizes of the arrays are given in bytes.

__global__ void copy(int *out, const int *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}
