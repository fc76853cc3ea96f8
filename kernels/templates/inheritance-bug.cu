//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//write-write-race

// The derived class folds the indices around the middle.

struct Array {
  int *data;
  __device__ void set(int i, int v) { data[i] = v; }
};

struct Reversed : Array {
  int last;
  __device__ void set(int i, int v) { Array::set(i > 50 ? i - 50 : i, v); }
};

__global__ void fill(int *a, int n) {
  __requires(n == 128);
  Reversed r;
  r.data = a;
  r.last = n - 1;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  r.set(i, i);
}
