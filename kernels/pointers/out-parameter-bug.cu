//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// The helper is given the address of one shared cell.

__device__ void divide(int a, int b, int *quotient, int *remainder) {
  *quotient = a / b;
  *remainder = a - *quotient * b;
}

__global__ void digits(const int *in, int *tens, int *ones) {
  int q, r;
  divide(in[threadIdx.x], 10, &q, ones);
  r = q;
  tens[threadIdx.x] = q;
  ones[threadIdx.x] = r;
}
