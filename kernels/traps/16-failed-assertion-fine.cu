//pass
//--blockDim=4 --gridDim=1

// With four threads the assertion is true, and the places are distinct.

__global__ void excuse(int *out) {
  int tid = threadIdx.x;
  __assert(tid < 4);
  out[tid & 3] = tid;
}
