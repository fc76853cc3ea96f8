//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
//race

// The rounds are not separated.

__global__ void rounds(int *v) {
  int i = threadIdx.x;
  int j = threadIdx.x + 32;
  int k = 31 - threadIdx.x;
  v[i] = v[j] + threadIdx.x;
  v[k]++;
}
