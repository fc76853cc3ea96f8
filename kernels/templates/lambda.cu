//pass
//--blockDim=32 --gridDim=2

// A lambda that captures by reference, called by a loop helper.

template <typename Body>
__device__ void for_each(int n, Body body) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    body(i);
}

__global__ void square(const int *in, int *out, int n) {
  __requires(n == 200);
  int sum = 0;
  for_each(n, [&](int i) {
    out[i] = in[i] * in[i];
    sum += out[i];
  });
  for_each(64, [=](int i) { out[n + i] = sum; });
}
