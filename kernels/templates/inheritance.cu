//pass
//--blockDim=64 --gridDim=2

// Static inheritance: the base class holds the pointer, the derived one the index rule.

struct Array {
  int *data;
  __device__ void set(int i, int v) { data[i] = v; }
};

struct Reversed : Array {
  int last;
  __device__ void set(int i, int v) { Array::set(last - i, v); }
};

__global__ void fill(int *a, int n) {
  __requires(n == 128);
  Reversed r;
  r.data = a;
  r.last = n - 1;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  r.set(i, i);
}
