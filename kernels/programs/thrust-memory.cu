//pass
//

// Memory of a container of Thrust.
#include <thrust/device_vector.h>

__global__ void scale(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= 2.0f;
}

int main() {
  thrust::device_vector<float> data(600);
  scale<<<5, 128>>>(thrust::raw_pointer_cast(data.data()), 600);
}
