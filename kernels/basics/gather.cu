//pass
//--blockDim=64 --gridDim=2

// A palette lookup: reads through an index array, writes its own element.

__global__ void gather(const unsigned char *index, const float *src, float *dst) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  dst[i] = src[index[i]];
}
