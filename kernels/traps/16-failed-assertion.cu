//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//assertion

// The assertion is false for most threads: it must not be used to excuse the race after it.

__global__ void excuse(int *out) {
  int tid = threadIdx.x;
  __assert(tid < 4);
  out[tid & 3] = tid;
}
