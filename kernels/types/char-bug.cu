//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//race

// Looks at the previous character, which its own thread may be changing.

__global__ void upper(char *text) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  char c = text[i];
  if (i > 0 && text[i - 1] != '.')
    text[i] = c + 1;
}
