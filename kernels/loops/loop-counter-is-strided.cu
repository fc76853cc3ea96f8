//pass
//--blockDim=2 --gridDim=1

// Steps of two and of four: one thread keeps to the even elements, the other to the
// odd ones.
__global__ void hop(int *out, const int *far) {
  int i = threadIdx.x;
  while (i < 64) {
    out[i] = threadIdx.x;
    if (far[i] & 1)
      i += 4;
    else
      i += 2;
  }
}
