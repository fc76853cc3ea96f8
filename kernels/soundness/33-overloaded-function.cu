//xfail:UNPROVEN
//--blockDim=64 --gridDim=1
//write-write-race

// Two functions of one name, and two instances of one template.
// What functions without a body yield, no run can show.

__device__ __attribute__((const)) int place(int);
__device__ __attribute__((const)) int place(unsigned);
template <int N> __device__ __attribute__((const)) int shifted(int);

__global__ void overloaded(int *a, int n) {
  if (place(n) != place((unsigned)n) || shifted<1>(n) != shifted<2>(n))
    a[0] = threadIdx.x;
}
