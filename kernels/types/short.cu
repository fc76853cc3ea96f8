//pass
//--blockDim=64 --gridDim=2

// Sixteen-bit samples; the arithmetic is done in int.

__global__ void mix(const short *left, const short *right, short *out) {
  unsigned short i = (unsigned short)(blockIdx.x * blockDim.x + threadIdx.x);
  out[i] = (short)((left[i] + right[i]) / 2);
}
