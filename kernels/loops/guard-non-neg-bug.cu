//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//write-write-race

// From zero it goes below zero at once: then all write to one place.
__global__ void settle(int *out, int n, int rounds) {
  __requires((n >> 31) == 0);
  int x = n;
  for (int i = 0; i < rounds; i++)
    x = x / 2 - 5;
  out[x >= 0 ? threadIdx.x : 0] = threadIdx.x;
}
