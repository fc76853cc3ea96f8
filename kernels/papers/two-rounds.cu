//pass
//--blockDim=32 --gridDim=1

// Parametric equivalence, section 3: two rounds of updates separated by a barrier.

__global__ void rounds(int *v) {
  int i = threadIdx.x;
  int j = threadIdx.x + 32;
  int k = 31 - threadIdx.x;
  v[i] = v[j] + threadIdx.x;
  __syncthreads();
  v[k]++;
}
