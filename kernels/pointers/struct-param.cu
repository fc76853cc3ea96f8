//pass
//--blockDim=64 --gridDim=2

// Pointers inside structures passed by value.

struct Vector {
  float *data;
  int length;
};

__global__ void add(Vector a, Vector b, Vector sum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < sum.length)
    sum.data[i] = a.data[i] + b.data[i];
}
