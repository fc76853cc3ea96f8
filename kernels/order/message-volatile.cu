//pass
//--blockDim=1 --gridDim=2

// The flag is volatile on both sides, which counts as strong in CUDA.

__global__ void message(int *data, int *flag, int *out) {
  __requires(*flag == 0);
  if (blockIdx.x == 0) {
    data[0] = 42;
    __threadfence();
    *(volatile int *)flag = 1;
  } else {
    while (*(volatile int *)flag != 1)
      ;
    __threadfence();
    out[0] = data[0];
  }
}
