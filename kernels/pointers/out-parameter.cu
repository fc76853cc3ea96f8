//pass
//--blockDim=64 --gridDim=1

// A helper returns two results through pointers to private variables.

__device__ void divide(int a, int b, int *quotient, int *remainder) {
  *quotient = a / b;
  *remainder = a - *quotient * b;
}

__global__ void digits(const int *in, int *tens, int *ones) {
  int q, r;
  divide(in[threadIdx.x], 10, &q, &r);
  tens[threadIdx.x] = q;
  ones[threadIdx.x] = r;
}
