// Tensor cores: `nvcuda::wmma`.
//
// Loads, stores and products are done by all lanes of a warp together, so each is an exchange
// between them, which must all come to it. Nobody says which lane reads or writes which element
// of a tile: that is an unknown function of the element, another one for each kind of tile,
// operation and line of the source, so that for every element and lane there is one by which that lane does
// it. What a fragment holds afterwards is unknown, and so is what a store writes. The operations
// order no memory. Tiles of elements of less than a byte are functions without a body, which
// leave a kernel that calls one unproven.
//
// It is believed that all lanes of a warp name one tile, as they must.
//
// SOUNDNESS: with a fixed share for each lane, a lane that reads its own share of a tile behind
// a store without `__syncwarp` would pass (kernels/warp/tile-store-synced-bug.cu).
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

// The tile of a fragment: its height and width, and whether a step along the stride is one to
// the next row.
template <class Fragment> struct tile;
template <int M, int N, int K, class T, class Layout>
struct tile<fragment<matrix_a, M, N, K, T, Layout>> {
  enum { rows = M, columns = K };
};
template <int M, int N, int K, class T, class Layout>
struct tile<fragment<matrix_b, M, N, K, T, Layout>> {
  enum { rows = K, columns = N };
};
template <int M, int N, int K, class T, class Layout>
struct tile<fragment<accumulator, M, N, K, T, Layout>> {
  enum { rows = M, columns = N };
};
template <class Fragment> constexpr bool is_by_rows = true;
template <class Use, int M, int N, int K, class T>
constexpr bool is_by_rows<fragment<Use, M, N, K, T, col_major>> = false;

// The lane that does an element in an operation on tiles of a kind, at a line.
extern "C" __attribute__((device, const)) unsigned __duet_lane_of_element(unsigned operation,
                                                                          unsigned line,
                                                                          unsigned element);
// Loads and stores of tiles of each kind, by number.
enum __operation { __loads, __stores };
template <class Fragment, class T>
static __device__ __forceinline__ unsigned __number(__operation operation, layout_t layout) {
  return operation + 2 * layout + 4 * sizeof(T) + 64 * tile<Fragment>::rows +
         4096 * tile<Fragment>::columns;
}

// All lanes meet.
static __device__ __forceinline__ void __meet() {
  __duet_shuffle_index_i32(0xffffffffu, 0, 0, 32);
}

// Does this lane do the element?
static __device__ __forceinline__ bool __does(unsigned operation, unsigned line,
                                              unsigned element) {
  unsigned rank = __duet_rank_thread_id_x() +
                  __duet_rank_block_dim_x() * (__duet_rank_thread_id_y() +
                                               __duet_rank_block_dim_y() *
                                                   __duet_rank_thread_id_z());
  return ((rank ^ __duet_lane_of_element(operation, line, element)) & 31) == 0;
}

template <class Fragment, class T>
__device__ __forceinline__ void load_matrix_sync(Fragment &to, const T *from, unsigned stride,
                                                 layout_t layout,
                                                 unsigned line = __builtin_LINE()) {
  const unsigned rows = tile<Fragment>::rows, columns = tile<Fragment>::columns;
  const unsigned length = layout == mem_row_major ? columns : rows;
  const unsigned operation = __number<Fragment, T>(__loads, layout);
  __meet();
  for (unsigned element = 0; element < rows * columns; element++)
    if (__does(operation, line, element))
      T dropped = from[(size_t)(element / length) * stride + element % length];
  Fragment loaded;
  to = loaded;
}
template <class Fragment, class T>
__device__ __forceinline__ void load_matrix_sync(Fragment &to, const T *from, unsigned stride,
                                                 unsigned line = __builtin_LINE()) {
  load_matrix_sync(to, from, stride, is_by_rows<Fragment> ? mem_row_major : mem_col_major, line);
}
template <class T, class Fragment>
__device__ __forceinline__ void store_matrix_sync(T *to, const Fragment &, unsigned stride,
                                                  layout_t layout,
                                                  unsigned line = __builtin_LINE()) {
  const unsigned rows = tile<Fragment>::rows, columns = tile<Fragment>::columns;
  const unsigned length = layout == mem_row_major ? columns : rows;
  const unsigned operation = __number<Fragment, T>(__stores, layout);
  __meet();
  T stored;
  for (unsigned element = 0; element < rows * columns; element++)
    if (__does(operation, line, element))
      to[(size_t)(element / length) * stride + element % length] = stored;
}
template <class Fragment, class T>
__device__ __forceinline__ void fill_fragment(Fragment &to, const T &value) {
  for (int element = 0; element < Fragment::num_elements; element++) to.x[element] = value;
}
template <class D, class A, class B, class C>
__device__ __forceinline__ void mma_sync(D &to, const A &, const B &, const C &,
                                         bool saturate = false) {
  __meet();
  D product;
  to = product;
}
template <class D, class A, class B, class C, class... Op>
__device__ void bmma_sync(D &, const A &, const B &, const C &, Op...);
__device__ float __float_to_tf32(float);

} // namespace wmma
} // namespace nvcuda
