//pass
//--blockDim=64 --gridDim=1

// The function is linked later. That it gives each thread another place cannot be
// proved, and no run can refute it.

__device__ __attribute__((const)) int place(int);

__global__ void unknown_function(int *a) {
  a[place(threadIdx.x)] = threadIdx.x;
}
