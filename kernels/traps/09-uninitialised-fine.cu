//pass
//--blockDim=64 --gridDim=1

// Every path sets the variable.

__global__ void uninitialised(int *out) {
  int c = threadIdx.x;
  int x = c;
  if (c > 3)
    x = c;
  out[x] = c;
}
