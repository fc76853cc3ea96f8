//pass
//--blockDim=64 --gridDim=2

// The CUDA version of function-calls.cl: results through references, and a lambda.

__device__ unsigned mix(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  return x ^ x >> 15;
}

__device__ bool split(unsigned x, unsigned &high, unsigned &low) {
  if (x < 0x10000u)
    return false;
  high = x >> 16;
  low = x & 0xffffu;
  return true;
}

__global__ void function_calls(unsigned *out, const unsigned *a) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  auto depth = [](unsigned x) -> unsigned {
    unsigned high, low, n = 0;
    while (split(x, high, low)) {
      x = high * low >> (n & 3);
      if (++n == 12)
        return 100 + mix(x) % 7;
    }
    return n;
  };
  out[2 * i + 0] = depth(mix(a[i]));
  out[2 * i + 1] = mix(mix(a[i]) + i);
}
