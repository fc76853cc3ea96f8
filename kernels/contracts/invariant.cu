//pass
//--blockDim=32 --gridDim=2

// A loop invariant that the assertion after the loop needs.

__global__ void steps(int *out) {
  int j = 0;
  for (int i = 0; __invariant(j == 2 * i), __invariant(i <= 100), i < 100; i++)
    j += 2;
  __assert(j == 200);
  out[blockIdx.x * blockDim.x + threadIdx.x] = j;
}
