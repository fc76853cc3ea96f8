//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=2
//race

// The counter that a place was drawn from says nothing of what is in the place: it was
// drawn before the number was written.

__global__ void queue(int *tail, int *q, int *out) {
  __requires(*tail == 0);
  if (blockIdx.x == 0) {
    int i = atomicAdd(tail, 1);
    q[i] = 7;
    __threadfence();
  } else {
    int n = atomicAdd(tail, 0);
    __threadfence();
    if (0 < n)
      out[0] = q[0];
  }
}
