//pass
//--blockDim=64 --gridDim=2

// Floats are replaced by their bits, in place.

__global__ void to_bits(float *values) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int *bits = reinterpret_cast<int *>(values);
  bits[i] = (int)values[i];
}
