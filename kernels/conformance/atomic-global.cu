//pass
//--blockDim=64 --gridDim=4

// The CUDA version of atomic-global.cl: CUDA's functions for the same operations.

__global__ void atomic_global(int *s, unsigned *u, const int *a) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = a[i];
  atomicAdd(&s[0], x >> 10);
  atomicSub(&s[1], x >> 11);
  atomicMin(&s[2], x);
  atomicMax(&s[3], x);
  atomicOr(&s[4], 1 << (x & 31));
  atomicXor(&s[5], x);
  atomicAdd(&s[6], 1);
  atomicSub(&s[7], 1);
  atomicMin(&u[0], (unsigned)x);
  atomicMax(&u[1], (unsigned)x);
  atomicAnd(&u[2], (unsigned)x | 0xf0f0f0f0u);
  atomicAdd(&u[3], (unsigned)x);
}
