//pass
//--blockDim=32 --gridDim=2

// Complex multiplication with double2.

__global__ void multiply(double2 *a, const double2 *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double2 x = a[i], y = b[i];
  a[i].x = x.x * y.x - x.y * y.y;
  a[i].y = x.x * y.y + x.y * y.x;
}
