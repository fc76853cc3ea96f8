//pass
//--blockDim=64 --gridDim=2 --kernel-args=spread,0x2

// The argument's value is given on the command line.

__global__ void spread(int *a, int stride) {
  a[(blockIdx.x * blockDim.x + threadIdx.x) * stride] = threadIdx.x;
}
