//pass
//--blockDim=64 --gridDim=2

// Sets and clears bits of a shared bitmap.

__global__ void mark(const unsigned *keys, unsigned *set, unsigned *cleared) {
  unsigned key = keys[blockIdx.x * blockDim.x + threadIdx.x] % 1024;
  atomicOr(&set[key / 32], 1u << (key % 32));
  atomicAnd(&cleared[key / 32], ~(1u << (key % 32)));
}
