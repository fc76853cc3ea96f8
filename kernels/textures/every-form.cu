//pass
//--blockDim=32 --gridDim=2

// Texture references in every form: of one to three dimensions, with and without a mode,
// static, layered, passed by value and by reference, of a template.

texture<float> plain;
texture<float, 2> flat;
texture<float, 3, cudaReadModeElementType> solid;
texture<uchar4, cudaTextureType2D, cudaReadModeNormalizedFloat> colours;
static texture<int2, 1, cudaReadModeElementType> pairs;
texture<short, cudaTextureType1DLayered> layers;

__device__ float by_value(texture<float, 2> t, float x) { return tex2D(t, x, 1.0f); }
__device__ float by_reference(const texture<float, 3> &t, float x) { return tex3D(t, x, x, x); }
template <class T, int D, cudaTextureReadMode M>
__device__ float of_any(texture<T, D, M> t, int i) { return tex1Dfetch(t, i).x; }

__global__ void sum(float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = i;
  out[i] = tex1Dfetch(plain, i) + tex1D(plain, x) + tex2D(flat, x, 0.5f) + tex2D(colours, x, x).w +
           by_value(flat, x) + by_reference(solid, x) + of_any(pairs, i) + tex1DLayered(layers, x, 2);
}
