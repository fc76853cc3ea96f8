//pass
//--blockDim=64 --gridDim=2

// Kernels in namespaces, a static member function, a default template argument.

namespace image {

template <int Shift = 3>
struct Quantise {
  static __device__ unsigned char apply(unsigned char v) { return (v >> Shift) << Shift; }
};

__global__ void quantise(unsigned char *pixels) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  pixels[i] = Quantise<>::apply(pixels[i]);
}

} // namespace image
