//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=2
//race

// The imaginary part goes to the next element.

__global__ void multiply(double2 *a, const double2 *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double2 x = a[i], y = b[i];
  a[i].x = x.x * y.x - x.y * y.y;
  a[i + 1].y = x.x * y.y + x.y * y.x;
}
