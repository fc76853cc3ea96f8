//pass
//--blockDim=1 --gridDim=1

// With one thread it can hold.

__global__ void one_thread(int *a) {
  __requires(threadIdx.x == 0);
  a[0] = threadIdx.x;
}
