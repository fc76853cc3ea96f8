//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=4
//race

// Two buckets share a counter, and each has a lock of its own.

__global__ void insert(int *count, int *lock, const int *key) {
  int bucket = key[blockIdx.x * blockDim.x + threadIdx.x] & 7;
  bool done = false;
  while (!done) {
    if (atomicCAS(lock + bucket, 0, 1) == 0) {
      __threadfence();
      count[bucket / 2] += 1;
      __threadfence();
      atomicExch(lock + bucket, 0);
      done = true;
    }
  }
}
