// Each thread reads what its neighbour wrote. A barrier is missing between the two lines.
__global__ void turn(int *out) {
  __shared__ int part[64];
  part[threadIdx.x] = out[64 * blockIdx.x + threadIdx.x];
  out[64 * blockIdx.x + threadIdx.x] = part[63 - threadIdx.x];
}
