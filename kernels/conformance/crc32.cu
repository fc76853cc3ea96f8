//pass
//--blockDim=64 --gridDim=1

// The CUDA version of crc32.cl: the step as a function object.

struct Step {
  unsigned polynomial;
  __device__ unsigned operator()(unsigned crc) const {
    return (crc >> 1) ^ (polynomial & -(crc & 1));
  }
};

__global__ void crc32(unsigned *out, const unsigned char *a) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned crc = ~0u;
  const Step step{0xedb88320u};
  for (int k = 0; k < 16; k++) {
    crc ^= a[16 * i + k];
#pragma unroll
    for (int bit = 0; bit < 8; bit++)
      crc = step(crc);
  }
  out[i] = ~crc;
}
