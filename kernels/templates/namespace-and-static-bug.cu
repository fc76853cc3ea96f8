//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//race

// The shift has moved into the index.

namespace image {

template <int Shift = 3>
struct Quantise {
  static __device__ unsigned char apply(unsigned char v) { return (v >> Shift) << Shift; }
};

__global__ void quantise(unsigned char *pixels) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  pixels[Quantise<>::apply(i)] = i;
}

} // namespace image
