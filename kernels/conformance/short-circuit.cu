//pass
//--blockDim=64 --gridDim=2

// The CUDA version of short-circuit.cl: references instead of pointers.

__device__ int tick(int &count, int result) {
  count++;
  return result;
}

__global__ void short_circuit(int *out, const int *a) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = a[i];
  int n = 0;
  bool p = x & 1 && tick(n, x & 2);
  bool q = x & 4 || tick(n, x & 8);
  int r = x & 16 ? tick(n, 5) : (n += 2, 7);
  out[3 * i + 0] = p | q << 1;
  out[3 * i + 1] = n;
  out[3 * i + 2] = r;
}
