//pass
//--blockDim=64 --gridDim=1 --no-inline

// The value at entry, of a cell that only this thread touches.

__device__ int next(int n) {
  __requires(n < 100);
  __ensures(__return_val_int() == __old_int(n) + 1);
  n = n + 1;
  return n;
}

__global__ void old(int *out) {
  int t = threadIdx.x;
  out[next(t)] = t;
}
