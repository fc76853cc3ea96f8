//pass
//--blockDim=64 --gridDim=1

// One function, at equal arguments.

__device__ __attribute__((const)) int place(int);

__global__ void one_function(int *a, int n) {
  if (place(n) != place(n + 0))
    a[0] = threadIdx.x;
}
