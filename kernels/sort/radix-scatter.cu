//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//race

// The scattering half of a radix step: correct only if the offsets leave room for each digit, which nothing says.

#define RADIX 16

__global__ void scatter(const unsigned *keys, unsigned *sorted, unsigned *offsets, int shift) {
  __requires(shift == 4);
  unsigned key = keys[blockIdx.x * blockDim.x + threadIdx.x];
  unsigned digit = (key >> shift) & (RADIX - 1);
  unsigned position = atomicAdd(&offsets[digit], 1);
  sorted[position] = key;
}
