//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//race

// Setting a bit with a plain read and write loses the bits of others.

__global__ void mark(const unsigned *keys, unsigned *set, unsigned *cleared) {
  unsigned key = keys[blockIdx.x * blockDim.x + threadIdx.x] % 1024;
  set[(key / 32) & 1] |= 1u << (key % 32);
  atomicAnd(&cleared[key / 32], ~(1u << (key % 32)));
}
