//pass
//--blockDim=64 --gridDim=1

// The counter leaves the loop less than one step above n.
__global__ void overshoot(int *out, int n) {
  __requires(n >= 0);
  __requires(n < 1000);
  int i = 0;
  while (i < n)
    i += 4;
  int over = i - n;
  out[over < 4 ? threadIdx.x : 0] = threadIdx.x;
}
