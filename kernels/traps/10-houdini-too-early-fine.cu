//pass
//--blockDim=64 --gridDim=2

// Here it is one.

__global__ void early(int *out, int n) {
  __requires(n == 3);
  int gid = blockIdx.x * blockDim.x + threadIdx.x;
  int x = 0;
  for (int i = 0; i < n; i++)
    x = i * x;
  out[x == 0 ? gid : 0] = gid;
}
