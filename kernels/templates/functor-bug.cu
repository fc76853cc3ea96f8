//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//race

// The transform reads the neighbour's result.

struct Saxpy {
  float a;
  __device__ float operator()(float x, float y) const { return a * x + y; }
};

template <typename F>
__device__ void transform(F f, const float *x, float *y, int i) {
  y[i] = f(x[i], y[i + 1]);
}

__global__ void apply(Saxpy op, const float *x, float *y) {
  transform(op, x, y, blockIdx.x * blockDim.x + threadIdx.x);
}
