//pass
//--blockDim=32 --gridDim=1

// Candidate invariants, figure 4: three values rotate; "i is at most 10000" and "x is not y" survive.

__global__ void rotation(int *out) {
  int x = 1, y = 2, z = 3;
  for (int i = 0; i < 100; i++) {
    int temp = x;
    x = y;
    y = z;
    z = temp;
  }
  __assert(x != y);
  out[threadIdx.x * 4 + x] = y;
}
