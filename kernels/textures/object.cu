//pass
//--blockDim=64 --gridDim=2

// Texture objects, one-dimensional fetch and two-dimensional sampling.

__global__ void lookup(cudaTextureObject_t table, cudaTextureObject_t image, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float base = tex1Dfetch<float>(table, i);
  out[i] = base + tex2D<float>(image, i * 0.25f, base);
}
