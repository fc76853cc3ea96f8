//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=2
//write-write-race

// Two blocks write the same texels.

surface<void, 1> output;

__global__ void ramp() {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  surf1Dwrite(i, output, threadIdx.x * sizeof(int));
}
