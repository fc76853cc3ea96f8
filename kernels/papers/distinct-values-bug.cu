//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//write-write-race

// f is not injective.

__global__ void distinct(int *B) {
  __shared__ int A[64];
  A[threadIdx.x] = threadIdx.x / 2;
  __barrier_invariant_1(A[threadIdx.x] == threadIdx.x / 2, threadIdx.x);
  __syncthreads();
  B[A[threadIdx.x]] = threadIdx.x;
}
