//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//write-write-race

// The place to write is looked up in the texture.

__global__ void lookup(cudaTextureObject_t table, cudaTextureObject_t image, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float base = tex1Dfetch<float>(table, i);
  out[(int)base & 7] = i;
}
