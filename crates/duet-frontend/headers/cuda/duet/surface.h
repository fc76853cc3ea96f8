// Surfaces, by reference (`surface<void, dim>` globals) and by object. A surface
// is an array of bytes: `x` counts bytes, a row is 2^24 of them apart, a slice
// (layer, face) 2^44; with 32-bit pointers 2^14 and 2^24. No device has surfaces of
// rows so long or of so many of them (131072 elements of 16 bytes, 65536 rows): an
// access beyond that does nothing in the modes that trap or yield zero. Where coordinates
// are clamped, and inside of these limits, an access outside the image is one to a place
// of its own.
#pragma once
#pragma clang system_header

template <class T, int Dim = 1>
struct __attribute__((device_builtin_surface_type)) surface : surfaceReference {};

template <int Dim>
struct __attribute__((device_builtin_surface_type)) surface<void, Dim> : surfaceReference {};

namespace duet {

constexpr int surface_row_bits = sizeof(void *) == 8 ? 24 : 14;
constexpr int surface_slice_bits = sizeof(void *) == 8 ? 44 : 24;

__DUET_FN char *surface_base(cudaSurfaceObject_t s) { return (char *)__duet_surface_object(s); }
template <class T, int Dim> __DUET_FN char *surface_base(surface<T, Dim> s) {
  return (char *)__duet_surface_object(*(unsigned long long *)&s);
}

__DUET_FN long surface_offset(int x, int y, int z) {
  return (long)x + ((long)y << surface_row_bits) + ((long)z << surface_slice_bits);
}

// Is this no place of any surface, so that nothing is read or written there?
__DUET_FN bool surface_misses(int x, int y, int z, cudaSurfaceBoundaryMode mode) {
  if (sizeof(void *) != 8 || mode == cudaBoundaryModeClamp) return false;
  return (unsigned)x >> surface_row_bits || (unsigned)y >> (surface_slice_bits - surface_row_bits) ||
         (unsigned)z >> (63 - surface_slice_bits);
}

} // namespace duet

#define cudaSurfaceType1D 0x01
#define cudaSurfaceType2D 0x02
#define cudaSurfaceType3D 0x03
#define cudaSurfaceTypeCubemap 0x0C
#define cudaSurfaceType1DLayered 0xF1
#define cudaSurfaceType2DLayered 0xF2
#define cudaSurfaceTypeCubemapLayered 0xFC

#define __DUET_SURFACE_ON(NAME, HEAD, S, PARAMS, Y, Z)                                             \
  template <class T HEAD>                                                                          \
  __DUET_FN T NAME##read(S s, __DUET_ARGS PARAMS,                                                  \
                         cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                    \
    if (duet::surface_misses(x, Y, Z, mode)) return T();                                           \
    return *(const T *)(duet::surface_base(s) + duet::surface_offset(x, Y, Z));                    \
  }                                                                                                \
  template <class T HEAD>                                                                          \
  __DUET_FN void NAME##read(T *out, S s, __DUET_ARGS PARAMS,                                       \
                            cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                 \
    if (duet::surface_misses(x, Y, Z, mode)) *out = T();                                           \
    else *out = *(const T *)(duet::surface_base(s) + duet::surface_offset(x, Y, Z));                    \
  }                                                                                                \
  template <class T HEAD>                                                                          \
  __DUET_FN void NAME##write(T value, S s, __DUET_ARGS PARAMS,                                     \
                             cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                \
    if (duet::surface_misses(x, Y, Z, mode)) return;                                               \
    *(T *)(duet::surface_base(s) + duet::surface_offset(x, Y, Z)) = value;                         \
  }
#define __DUET_COMMA_CLASS , class U
#define __DUET_SURFACE(NAME, DIM, PARAMS, Y, Z)                                                    \
  __DUET_SURFACE_ON(NAME, , cudaSurfaceObject_t, PARAMS, Y, Z)                                     \
  __DUET_SURFACE_ON(NAME, __DUET_COMMA_CLASS, __DUET_ARGS(surface<U, DIM>), PARAMS, Y, Z)

__DUET_SURFACE(surf1D, 1, (int x), 0, 0)
__DUET_SURFACE(surf2D, 2, (int x, int y), y, 0)
__DUET_SURFACE(surf3D, 3, (int x, int y, int z), y, z)
__DUET_SURFACE(surf1DLayered, 0xF1, (int x, int layer), 0, layer)
__DUET_SURFACE(surf2DLayered, 0xF2, (int x, int y, int layer), y, layer)
__DUET_SURFACE(surfCubemap, 12, (int x, int y, int face), y, face)
__DUET_SURFACE(surfCubemapLayered, 0xFC, (int x, int y, int layer_face), y, layer_face)
#undef __DUET_SURFACE
#undef __DUET_COMMA_CLASS
#undef __DUET_SURFACE_ON
#undef __DUET_ARGS
