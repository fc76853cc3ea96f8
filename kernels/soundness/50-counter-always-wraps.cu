//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// With this step the third thread gets what the first one got, whatever the launch.

__global__ void wraps(int *a, unsigned *next) {
  unsigned i = atomicAdd(next, 0x80000000u);
  a[i] = threadIdx.x;
}
