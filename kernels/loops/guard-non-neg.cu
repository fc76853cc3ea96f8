//pass
//--blockDim=64 --gridDim=1

// It goes up and down, but not below zero. That the sign bit of n is clear is said in
// a way that no range tells.
__global__ void settle(int *out, int n, int rounds) {
  __requires((n >> 31) == 0);
  int x = n;
  for (int i = 0; i < rounds; i++)
    x = x / 2 + 5;
  out[x >= 0 ? threadIdx.x : 0] = threadIdx.x;
}
