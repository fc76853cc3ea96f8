//xfail:NOT_ALL_VERIFIED
//
//read-write-race

// The host counts one element too many: element 500 is read through one pointer and
// written through the other.
__global__ void copy_half(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = 2.0f * from[i];
}

int main() {
  float *data;
  cudaMalloc(&data, 1001 * sizeof(float));
  copy_half<<<4, 256>>>(data, data + 500, 501);
  cudaFree(data);
}
