// Tensor cores: `nvcuda::wmma`. Proofs don't cover them: loads, stores and products are
// functions without a body, which leave a kernel that calls one unproven.
#pragma once
#pragma clang system_header
#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
} // namespace precision
namespace experimental {
namespace precision {
struct u4;
struct s4;
struct b1;
} // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
} // namespace experimental

// What a thread holds of an element.
template <class T> struct storage {
  typedef T type;
};
template <> struct storage<precision::tf32> {
  typedef float type;
};
template <> struct storage<experimental::precision::u4> {
  typedef unsigned type;
};
template <> struct storage<experimental::precision::s4> {
  typedef int type;
};
template <> struct storage<experimental::precision::b1> {
  typedef unsigned type;
};
template <class Use, int M, int N, int K> constexpr int elements = M * K / 16;
template <int M, int N, int K> constexpr int elements<matrix_b, M, N, K> = K * N / 16;
template <int M, int N, int K> constexpr int elements<accumulator, M, N, K> = M * N / 32;

template <class Use, int M, int N, int K, class T, class Layout = void> struct fragment {
  enum { num_elements = elements<Use, M, N, K> > 0 ? elements<Use, M, N, K> : 1 };
  enum { num_storage_elements = num_elements };
  typedef typename storage<T>::type element_type;
  typedef element_type storage_element_type;
  element_type x[num_elements];
};

template <class Fragment, class T>
__device__ void load_matrix_sync(Fragment &, const T *from, unsigned stride);
template <class Fragment, class T>
__device__ void load_matrix_sync(Fragment &, const T *from, unsigned stride, layout_t);
template <class T, class Fragment>
__device__ void store_matrix_sync(T *to, const Fragment &, unsigned stride, layout_t);
template <class Fragment, class T> __device__ void fill_fragment(Fragment &, const T &);
template <class D, class A, class B, class C>
__device__ void mma_sync(D &, const A &, const B &, const C &, bool saturate = false);
template <class D, class A, class B, class C, class... Op>
__device__ void bmma_sync(D &, const A &, const B &, const C &, Op...);
__device__ float __float_to_tf32(float);

} // namespace wmma
} // namespace nvcuda
