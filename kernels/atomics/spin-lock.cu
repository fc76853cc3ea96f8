//pass
//--blockDim=1 --gridDim=4

// A spin lock around a plain update: fences and lock order it.

__global__ void add(int *lock, int *sum, const int *in) {
  __requires(*lock == 0);
  while (atomicCAS(lock, 0, 1) != 0)
    ;
  __threadfence();
  *sum += in[blockIdx.x];
  __threadfence();
  atomicExch(lock, 0);
}
