//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//write-write-race

// The counter may leave the loop three above n: then all write to one place.
__global__ void overshoot(int *out, int n) {
  __requires(n >= 0);
  __requires(n < 1000);
  int i = 0;
  while (i < n)
    i += 4;
  int over = i - n;
  out[over < 3 ? threadIdx.x : 0] = threadIdx.x;
}
