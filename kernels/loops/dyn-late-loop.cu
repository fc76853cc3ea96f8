//pass
//--blockDim=64 --gridDim=2

// The first loop takes long; what may be guessed about the second one is seen to be wrong
// in a run only if the run comes that far.

__global__ void late(int *out, int n) {
  __requires(n == 4000);
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += i;
  int low = threadIdx.x;
  for (int j = 0; j < 9; j++)
    low = (low + 7) % 64;
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum + low;
}
