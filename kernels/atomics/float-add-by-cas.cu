//pass
//--blockDim=32 --gridDim=2

// The classic double addition on 64-bit compare-and-swap, all of it atomic.

__device__ void add(double *address, double value) {
  unsigned long long *bits = (unsigned long long *)address;
  unsigned long long old = atomicCAS(bits, 0ull, 0ull), assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != old);
}

__global__ void sum(const double *in, double *out) {
  add(&out[threadIdx.x % 4], in[blockIdx.x * blockDim.x + threadIdx.x]);
}
