//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//read-write-race

// Reads one element further in the vector that it writes.

struct Vector {
  float *data;
  int length;
};

__global__ void add(Vector a, Vector b, Vector sum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __requires(sum.length == 100);
  if (i < sum.length)
    sum.data[i] = a.data[i] + sum.data[i + 1];
}
