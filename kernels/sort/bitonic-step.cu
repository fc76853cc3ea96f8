//pass
//--blockDim=64 --gridDim=2

// One step of a bitonic sort over a long array, launched once per (j, k).

__global__ void step(float *values, int j, int k) {
  __requires(j == 8);
  __requires(k == 32);
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned other = i ^ j;
  if (other > i) {
    float a = values[i], b = values[other];
    bool up = (i & k) == 0;
    if (up ? a > b : a < b) {
      values[i] = b;
      values[other] = a;
    }
  }
}
