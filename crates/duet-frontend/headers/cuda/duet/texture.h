// Textures, by reference (`texture<T, dim, mode>` globals) and by object. A read
// is a load of one texel; filtering is inside the unknown contents. Anything
// else that selects a value (level of detail, gradients, gathered component)
// selects a texel too, by a pure function.
#pragma once
#pragma clang system_header

enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };

template <class T, int Dim = 1, enum cudaTextureReadMode Mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : textureReference {};

__DUET_PURE size_t __duet_texel_level(size_t texel, float level);
__DUET_PURE size_t __duet_texel_gradient(size_t texel, float, float, float, float, float, float);
__DUET_PURE size_t __duet_texel_layer(size_t texel, int layer);
__DUET_PURE size_t __duet_texel_component(size_t texel, int component);

namespace duet {

// The type a read yields: elements as stored, or floats of the same shape.
template <class T> struct as_float {
  typedef float type;
};
template <> struct as_float<char1> { typedef float1 type; };
template <> struct as_float<uchar1> { typedef float1 type; };
template <> struct as_float<short1> { typedef float1 type; };
template <> struct as_float<ushort1> { typedef float1 type; };
template <> struct as_float<char2> { typedef float2 type; };
template <> struct as_float<uchar2> { typedef float2 type; };
template <> struct as_float<short2> { typedef float2 type; };
template <> struct as_float<ushort2> { typedef float2 type; };
template <> struct as_float<char4> { typedef float4 type; };
template <> struct as_float<uchar4> { typedef float4 type; };
template <> struct as_float<short4> { typedef float4 type; };
template <> struct as_float<ushort4> { typedef float4 type; };
template <class T, cudaTextureReadMode Mode> struct texture_result : as_float<T> {};
template <class T> struct texture_result<T, cudaReadModeElementType> {
  typedef T type;
};

// Four values of one component, for gathers.
template <class T> struct four { typedef T type; };
#define __DUET_FOUR(N)                                                                             \
  template <> struct four<N> { typedef N##4 type; };                                               \
  template <> struct four<N##1> { typedef N##4 type; };                                            \
  template <> struct four<N##2> { typedef N##4 type; };                                            \
  template <> struct four<N##3> { typedef N##4 type; };
__DUET_FOUR(int)
__DUET_FOUR(float)
#undef __DUET_FOUR
#define __DUET_FOUR(N, E)                                                                          \
  template <> struct four<E> { typedef N##4 type; };                                               \
  template <> struct four<N##1> { typedef N##4 type; };                                            \
  template <> struct four<N##2> { typedef N##4 type; };                                            \
  template <> struct four<N##3> { typedef N##4 type; };
__DUET_FOUR(char, signed char)
__DUET_FOUR(uchar, unsigned char)
__DUET_FOUR(short, short)
__DUET_FOUR(ushort, unsigned short)
__DUET_FOUR(uint, unsigned)
#undef __DUET_FOUR
template <> struct four<char> { typedef char4 type; };

// The number of the texel with integer coordinates.
__DUET_FN size_t texel_at(int x) { return (size_t)(long)x; }

// A load of the texel as an `R`.
template <class R> __DUET_FN R read_texel(unsigned long long handle, size_t texel) {
  return *(const R *)((const char *)__duet_texture_object(handle) + texel * 16);
}

// A reference passed by value is its handle.
template <class T, int Dim, cudaTextureReadMode Mode>
__DUET_FN unsigned long long texture_handle(texture<T, Dim, Mode> &t) {
  return *(unsigned long long *)&t;
}

} // namespace duet

#define cudaTextureType1D 0x01
#define cudaTextureType2D 0x02
#define cudaTextureType3D 0x03
#define cudaTextureTypeCubemap 0x0C
#define cudaTextureType1DLayered 0xF1
#define cudaTextureType2DLayered 0xF2
#define cudaTextureTypeCubemapLayered 0xFC

// One texture function in its three forms: reference, object with the value
// returned, object with the value through a pointer. PARAMS are its coordinates,
// TEXEL the number they name.
#define __DUET_ARGS(...) __VA_ARGS__
#define __DUET_TEXTURE_OBJECT(NAME, PARAMS, TEXEL)                                           \
  template <class T> __DUET_FN T NAME(cudaTextureObject_t t, __DUET_ARGS PARAMS) {                 \
    return duet::read_texel<T>(t, TEXEL);                                                          \
  }                                                                                                \
  template <class T> __DUET_FN void NAME(T *out, cudaTextureObject_t t, __DUET_ARGS PARAMS) {      \
    *out = duet::read_texel<T>(t, TEXEL);                                                          \
  }
#define __DUET_TEXTURE(NAME, DIM, PARAMS, TEXEL)                                             \
  template <class T, cudaTextureReadMode M>                                                        \
  __DUET_FN typename duet::texture_result<T, M>::type NAME(texture<T, DIM, M> t, __DUET_ARGS PARAMS) { \
    return duet::read_texel<typename duet::texture_result<T, M>::type>(duet::texture_handle(t), TEXEL); \
  }                                                                                                \
  __DUET_TEXTURE_OBJECT(NAME, PARAMS, TEXEL)

__DUET_TEXTURE(tex1Dfetch, 1, (int x), duet::texel_at(x))
__DUET_TEXTURE(tex1D, 1, (float x), __duet_texel(x, 0, 0))
__DUET_TEXTURE(tex2D, 2, (float x, float y), __duet_texel(x, y, 0))
__DUET_TEXTURE(tex3D, 3, (float x, float y, float z), __duet_texel(x, y, z))
__DUET_TEXTURE(texCubemap, 12, (float x, float y, float z), __duet_texel(x, y, z))
__DUET_TEXTURE(tex1DLayered, 0xF1, (float x, int layer),
               __duet_texel_layer(__duet_texel(x, 0, 0), layer))
__DUET_TEXTURE(tex2DLayered, 0xF2, (float x, float y, int layer),
               __duet_texel_layer(__duet_texel(x, y, 0), layer))
__DUET_TEXTURE(texCubemapLayered, 0xFC, (float x, float y, float z, int layer),
               __duet_texel_layer(__duet_texel(x, y, z), layer))

__DUET_TEXTURE(tex1DLod, 1, (float x, float level),
               __duet_texel_level(__duet_texel(x, 0, 0), level))
__DUET_TEXTURE(tex2DLod, 2, (float x, float y, float level),
               __duet_texel_level(__duet_texel(x, y, 0), level))
__DUET_TEXTURE(tex3DLod, 3, (float x, float y, float z, float level),
               __duet_texel_level(__duet_texel(x, y, z), level))
__DUET_TEXTURE(texCubemapLod, 12, (float x, float y, float z, float level),
               __duet_texel_level(__duet_texel(x, y, z), level))
__DUET_TEXTURE(tex1DLayeredLod, 0xF1, (float x, int layer, float level),
               __duet_texel_level(__duet_texel_layer(__duet_texel(x, 0, 0), layer), level))
__DUET_TEXTURE(tex2DLayeredLod, 0xF2, (float x, float y, int layer, float level),
               __duet_texel_level(__duet_texel_layer(__duet_texel(x, y, 0), layer), level))
__DUET_TEXTURE(texCubemapLayeredLod, 0xFC, (float x, float y, float z, int layer, float level),
               __duet_texel_level(__duet_texel_layer(__duet_texel(x, y, z), layer), level))

__DUET_TEXTURE(tex1DGrad, 1, (float x, float dx, float dy),
               __duet_texel_gradient(__duet_texel(x, 0, 0), dx, 0, 0, dy, 0, 0))
__DUET_TEXTURE(tex2DGrad, 2, (float x, float y, float2 dx, float2 dy),
               __duet_texel_gradient(__duet_texel(x, y, 0), dx.x, dx.y, 0, dy.x, dy.y, 0))
__DUET_TEXTURE(tex3DGrad, 3, (float x, float y, float z, float4 dx, float4 dy),
               __duet_texel_gradient(__duet_texel(x, y, z), dx.x, dx.y, dx.z, dy.x, dy.y, dy.z))
__DUET_TEXTURE(texCubemapGrad, 12, (float x, float y, float z, float4 dx, float4 dy),
               __duet_texel_gradient(__duet_texel(x, y, z), dx.x, dx.y, dx.z, dy.x, dy.y, dy.z))
__DUET_TEXTURE(tex1DLayeredGrad, 0xF1, (float x, int layer, float dx, float dy),
               __duet_texel_gradient(__duet_texel_layer(__duet_texel(x, 0, 0), layer), dx, 0, 0, dy, 0, 0))
__DUET_TEXTURE(tex2DLayeredGrad, 0xF2, (float x, float y, int layer, float2 dx, float2 dy),
               __duet_texel_gradient(__duet_texel_layer(__duet_texel(x, y, 0), layer), dx.x, dx.y, 0,
                                     dy.x, dy.y, 0))
#undef __DUET_TEXTURE
#undef __DUET_TEXTURE_OBJECT

template <class T, cudaTextureReadMode M>
__DUET_FN typename duet::four<typename duet::texture_result<T, M>::type>::type
tex2Dgather(texture<T, 2, M> t, float x, float y, int component = 0) {
  typedef typename duet::four<typename duet::texture_result<T, M>::type>::type R;
  return duet::read_texel<R>(duet::texture_handle(t),
                             __duet_texel_component(__duet_texel(x, y, 0), component));
}
template <class T>
__DUET_FN T tex2Dgather(cudaTextureObject_t t, float x, float y, int component = 0) {
  return duet::read_texel<T>(t, __duet_texel_component(__duet_texel(x, y, 0), component));
}
template <class T>
__DUET_FN void tex2Dgather(T *out, cudaTextureObject_t t, float x, float y, int component = 0) {
  *out = duet::read_texel<T>(t, __duet_texel_component(__duet_texel(x, y, 0), component));
}
