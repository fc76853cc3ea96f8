//pass
//--blockDim=64 --gridDim=1

// Barrier invariants, section 1: f is injective, so the second array is written at distinct places.

__global__ void distinct(int *B) {
  __shared__ int A[64];
  A[threadIdx.x] = 2 * threadIdx.x + 1;
  __barrier_invariant_1(A[threadIdx.x] == 2 * threadIdx.x + 1, threadIdx.x);
  __syncthreads();
  B[A[threadIdx.x]] = threadIdx.x;
}
