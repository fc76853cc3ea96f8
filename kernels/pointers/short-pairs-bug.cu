//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//write-write-race

// The address is a byte address: neighbouring shorts overlap by one byte.

__global__ void pairs(char *text) {
  *(short *)(text + threadIdx.x) = (short)(threadIdx.x * 257 + 1);
}
