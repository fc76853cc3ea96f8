//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//write-write-race

// A byte cannot hold four times the thread's number.

__global__ void mix(const short *left, const short *right, short *out) {
  unsigned char i = (unsigned char)(4 * (blockIdx.x * blockDim.x + threadIdx.x));
  out[i] = (short)(blockIdx.x * blockDim.x + threadIdx.x);
}
