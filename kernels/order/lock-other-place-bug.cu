//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=4
//race

// The lock of the neighbour's bucket is given back.

__global__ void insert(int *count, int *lock, const int *key) {
  int bucket = key[blockIdx.x * blockDim.x + threadIdx.x] & 1;
  bool done = false;
  for (int k = 0; k < 50 && !done; k++) {
    if (atomicCAS(lock + bucket, 0, 1) == 0) {
      __threadfence();
      count[bucket] += 1;
      __threadfence();
      atomicExch(lock + (bucket ^ 1), 0);
      done = true;
    }
  }
}
