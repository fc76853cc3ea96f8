//pass
//--blockDim=64 --gridDim=2

// Signed bytes: case folding.

__global__ void upper(char *text) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  char c = text[i];
  if (c >= 'a' && c <= 'z')
    text[i] = c - 'a' + 'A';
}
