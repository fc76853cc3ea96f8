//xfail:UNPROVEN
//--blockDim=64 --gridDim=1
//misplaced-barrier-invariant

// A permission between the claim and the barrier is no part of the claim.
// The kernel itself is right, and so is what is claimed: no run shows anything.

__global__ void k(int *out) {
  __shared__ int a[64];
  unsigned t = threadIdx.x;

  a[t] = 0;
  __barrier_invariant_1(a[threadIdx.x] == 0, threadIdx.x ^ 1);
  __read_permission(int, a[threadIdx.x]);
  __syncthreads();
  out[a[t ^ 1] ? 0 : t] = t;
}
