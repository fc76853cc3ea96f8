//xfail:NOT_ALL_VERIFIED
//
//out-of-bounds

// The container is smaller than the kernel is told.
#include <thrust/device_vector.h>

__global__ void scale(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= 2.0f;
}

int main() {
  thrust::device_vector<float> data(500);
  scale<<<5, 128>>>(thrust::raw_pointer_cast(data.data()), 600);
}
