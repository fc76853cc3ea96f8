//pass
//--blockDim=64 --gridDim=2

// The CUDA version of struct-array-field.cl: an array inside a class, with methods.

class Digits {
  int n = 0;
  int digit[10];

public:
  __device__ void push(int d) { digit[n++] = d; }
  __device__ int size() const { return n; }
  __device__ int operator[](int k) const { return digit[k]; }
};

__global__ void struct_array_field(int *out, const int *a) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  Digits d;
  unsigned v = a[i];
  while (d.size() < 10) {
    d.push(v % 10);
    v /= 10;
  }
  int backwards = 0;
  int sum = 0;
  for (int k = 0; k < d.size(); k++) {
    sum += d[k];
    if (k < 9)
      backwards = backwards * 10 + d[k];
  }
  out[2 * i + 0] = sum;
  out[2 * i + 1] = backwards;
}
