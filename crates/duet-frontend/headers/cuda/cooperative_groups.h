// Cooperative groups: thread blocks, the grid, tiles, coalesced groups,
// collectives. A tile of at most a warp synchronises and exchanges through the
// mask of its lanes; larger tiles are left out.
#pragma once
#pragma clang system_header
#include <duet_cuda_prelude.h>

#define _CG_HAS_GRID_GROUP 1
#define CG_VERSION 12

namespace cooperative_groups {

namespace detail {
// The lanes of the tile of `size` lanes (a power of two) around `lane`.
__DUET_FN unsigned tile_mask(unsigned lane, unsigned size) {
  return size >= 32 ? 0xffffffffu : ((1u << (size & 31)) - 1) << (lane & ~(size - 1));
}
__DUET_FN unsigned lanes_below(unsigned lane) { return (1u << lane) - 1; }

// The lane of the n-th set bit of a mask.
__DUET_FN unsigned nth_lane(unsigned mask, unsigned n) { return __fns(mask, 0, (int)n + 1); }

// Values that are no machine words go word by word.
template <class T, class Shuffle> __DUET_FN T by_words(T value, Shuffle shuffle) {
  if constexpr (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8) {
    typedef typename duet::word<sizeof(T)>::type word;
    typedef duet::shuffle_word<T> wide;
    return duet::bit_cast<T>((word)shuffle((wide)duet::bit_cast<word>(value)));
  } else {
    static_assert(sizeof(T) % 4 == 0, "a shuffled value must be a whole number of words");
    unsigned words[sizeof(T) / 4];
    __builtin_memcpy(words, &value, sizeof(T));
    for (unsigned i = 0; i < sizeof(T) / 4; i++)
      words[i] = shuffle(words[i]);
    __builtin_memcpy(&value, words, sizeof(T));
    return value;
  }
}
} // namespace detail

struct thread_group;

// The bits of `chosen` at the positions of `lanes`, moved together: rank n of the
// group becomes bit n.
__DUET_PURE unsigned __duet_packed_lanes(unsigned chosen, unsigned lanes);

// All threads of the block.
class thread_block {
public:
  __DUET_FN void sync() const { __duet_barrier_block(3); }
  __DUET_FN unsigned thread_rank() const { return duet::flat_thread_id(); }
  __DUET_FN unsigned size() const { return duet::block_threads(); }
  __DUET_FN unsigned num_threads() const { return size(); }
  __DUET_FN dim3 group_index() const { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  __DUET_FN dim3 thread_index() const { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  __DUET_FN dim3 group_dim() const { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  __DUET_FN dim3 dim_threads() const { return group_dim(); }
  __DUET_FN bool is_valid() const { return true; }
};
__DUET_FN thread_block this_thread_block() { return thread_block(); }

// All threads of the launch.
class grid_group {
public:
  __DUET_FN void sync() const { __duet_barrier_grid(); }
  __DUET_FN bool is_valid() const { return true; }
  __DUET_FN unsigned long long size() const { return num_blocks() * block_size(); }
  __DUET_FN unsigned long long num_threads() const { return size(); }
  __DUET_FN unsigned long long thread_rank() const {
    return block_rank() * block_size() + duet::flat_thread_id();
  }
  __DUET_FN unsigned long long block_rank() const { return duet::flat_block_id(); }
  __DUET_FN unsigned long long num_blocks() const { return duet::grid_blocks(); }
  __DUET_FN dim3 group_dim() const { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  __DUET_FN dim3 dim_blocks() const { return group_dim(); }
  __DUET_FN dim3 block_index() const { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }

private:
  __DUET_FN unsigned long long block_size() const {
    return (unsigned long long)blockDim.x * __duet_rank_block_dim_y() * __duet_rank_block_dim_z();
  }
};
__DUET_FN grid_group this_grid() { return grid_group(); }

// A tile of Size lanes of the warp, Size a power of two up to 32. What it was
// partitioned from makes no difference.
template <unsigned Size, class Parent = void>
class thread_block_tile : public thread_block_tile<Size, void> {};
template <unsigned Size> class thread_block_tile<Size, void> {
  static_assert(Size > 0 && Size <= 32 && (Size & (Size - 1)) == 0, "a tile of a block has a number "
                "of threads that is a power of two");

public:
  __DUET_FN unsigned mask() const { return detail::tile_mask(duet::lane_id(), Size); }
  __DUET_FN void sync() const { __duet_barrier_warp(mask()); }
  __DUET_FN unsigned thread_rank() const { return duet::flat_thread_id() & (Size - 1); }
  static __DUET_FN constexpr unsigned size() { return Size; }
  static __DUET_FN constexpr unsigned num_threads() { return Size; }
  __DUET_FN unsigned meta_group_rank() const { return duet::flat_thread_id() / Size; }
  __DUET_FN unsigned meta_group_size() const {
    return (thread_block().size() + Size - 1) / Size;
  }

  template <class T> __DUET_FN T shfl(T value, int rank) const {
    unsigned m = mask();
    return detail::by_words(value, [=](auto word) __DUET_UNSEEN { return duet::shuffle_index(m, word, rank, Size); });
  }
  template <class T> __DUET_FN T shfl_up(T value, unsigned delta) const {
    unsigned m = mask();
    return detail::by_words(value, [=](auto word) __DUET_UNSEEN { return duet::shuffle_up(m, word, (int)delta, Size); });
  }
  template <class T> __DUET_FN T shfl_down(T value, unsigned delta) const {
    unsigned m = mask();
    return detail::by_words(value, [=](auto word) __DUET_UNSEEN { return duet::shuffle_down(m, word, (int)delta, Size); });
  }
  template <class T> __DUET_FN T shfl_xor(T value, unsigned lanes) const {
    unsigned m = mask();
    return detail::by_words(value, [=](auto word) __DUET_UNSEEN { return duet::shuffle_xor(m, word, (int)lanes, Size); });
  }
  __DUET_FN int any(int predicate) const { return __any_sync(mask(), predicate); }
  __DUET_FN int all(int predicate) const { return __all_sync(mask(), predicate); }
  // Ballots and matches count from the tile's first lane.
  __DUET_FN unsigned ballot(int predicate) const { return local(__ballot_sync(mask(), predicate)); }
  template <class T> __DUET_FN unsigned match_any(T value) const {
    return local(__match_any_sync(mask(), value));
  }
  template <class T> __DUET_FN unsigned match_all(T value, int &predicate) const {
    return local(__match_all_sync(mask(), value, &predicate));
  }

private:
  __DUET_FN unsigned local(unsigned lanes) const {
    return (lanes & mask()) >> (duet::lane_id() & ~(Size - 1) & 31);
  }
};

// Memory for tiles of more than a warp.
template <unsigned MaxBlockSize = 1024> struct block_tile_memory {
  unsigned long long words[MaxBlockSize / 8 + 16];
};
template <unsigned Size> __device__ void __duet_large_tile_sync();
template <class T> __device__ T __duet_large_tile_shuffle(T, unsigned);

// Tiles of more than a warp. Proofs don't cover them: their barrier is a function without a
// body, which leaves a kernel that calls it unproven.
#define __DUET_LARGE_TILE(SIZE)                                                                    \
  template <> class thread_block_tile<SIZE, void> {                                                \
  public:                                                                                          \
    __DUET_FN void sync() const { __duet_large_tile_sync<SIZE>(); }                                \
    __device__ unsigned mask() const;                                                              \
    __DUET_FN unsigned thread_rank() const { return duet::flat_thread_id() & (SIZE - 1); }         \
    static __DUET_FN constexpr unsigned size() { return SIZE; }                                    \
    static __DUET_FN constexpr unsigned num_threads() { return SIZE; }                             \
    __DUET_FN unsigned meta_group_rank() const { return duet::flat_thread_id() / SIZE; }           \
    __DUET_FN unsigned meta_group_size() const {                                                   \
      return (thread_block().size() + SIZE - 1) / SIZE;                                            \
    }                                                                                              \
    template <class T> __DUET_FN T shfl(T value, unsigned rank) const {                            \
      return __duet_large_tile_shuffle(value, rank);                                               \
    }                                                                                              \
    template <class T> __DUET_FN T shfl_xor(T value, unsigned lanes) const {                       \
      return __duet_large_tile_shuffle(value, lanes);                                              \
    }                                                                                              \
    template <class T> __DUET_FN T shfl_down(T value, unsigned delta) const {                      \
      return __duet_large_tile_shuffle(value, delta);                                              \
    }                                                                                              \
  };
__DUET_LARGE_TILE(64)
__DUET_LARGE_TILE(128)
__DUET_LARGE_TILE(256)
__DUET_LARGE_TILE(512)
__DUET_LARGE_TILE(1024)
#undef __DUET_LARGE_TILE

// A block that has memory for such tiles.
template <unsigned Size> __DUET_FN thread_block this_thread_block(block_tile_memory<Size> &) {
  return thread_block();
}

// The lanes that happened to be active together.
class coalesced_group {
  unsigned lanes;

public:
  __DUET_FN explicit coalesced_group(unsigned lanes) : lanes(lanes) {}
  __DUET_FN unsigned mask() const { return lanes; }
  __DUET_FN void sync() const { __duet_barrier_warp(lanes); }
  __DUET_FN unsigned size() const { return __popc(lanes); }
  __DUET_FN unsigned num_threads() const { return size(); }
  __DUET_FN unsigned thread_rank() const { return __popc(lanes & detail::lanes_below(duet::lane_id())); }
  template <class T> __DUET_FN T shfl(T value, unsigned rank) const {
    unsigned m = lanes;
    int from = (int)detail::nth_lane(m, rank);
    return detail::by_words(value, [=](auto word) __DUET_UNSEEN { return duet::shuffle_index(m, word, from, 32); });
  }
  template <class T> __DUET_FN T shfl_up(T value, unsigned delta) const {
    unsigned rank = thread_rank();
    return shfl(value, rank >= delta ? rank - delta : rank);
  }
  template <class T> __DUET_FN T shfl_down(T value, unsigned delta) const {
    unsigned rank = thread_rank();
    return shfl(value, rank + delta < size() ? rank + delta : rank);
  }
  __DUET_FN int any(int predicate) const { return __any_sync(lanes, predicate); }
  __DUET_FN int all(int predicate) const { return __all_sync(lanes, predicate); }
  __DUET_FN unsigned ballot(int predicate) const { return packed(__ballot_sync(lanes, predicate)); }
  template <class T> __DUET_FN unsigned match_any(T value) const {
    return packed(__match_any_sync(lanes, value));
  }
  template <class T> __DUET_FN unsigned match_all(T value, int &predicate) const {
    return packed(__match_all_sync(lanes, value, &predicate));
  }

private:
  // The bits of `chosen` at the group's lanes, moved together: a function of the
  // two masks.
  __DUET_FN unsigned packed(unsigned chosen) const { return __duet_packed_lanes(chosen & lanes, lanes); }
};
__DUET_FN coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

// Some group, known at run time only: a block, a tile or a coalesced group.
struct thread_group {
  enum kind_t { block, tile, coalesced } kind;
  unsigned lanes, width;

  __DUET_FN thread_group() : kind(block), lanes(0), width(0) {}
  __DUET_FN thread_group(const thread_block &) : kind(block), lanes(0), width(0) {}
  template <unsigned Size, class P>
  __DUET_FN thread_group(const thread_block_tile<Size, P> &t) : kind(tile), lanes(t.mask()), width(Size) {}
  __DUET_FN thread_group(const coalesced_group &g) : kind(coalesced), lanes(g.mask()), width(0) {}
  __DUET_FN thread_group(unsigned lanes, unsigned width) : kind(tile), lanes(lanes), width(width) {}
  __DUET_FN void sync() const {
    if (kind == block)
      __duet_barrier_block(3);
    else
      __duet_barrier_warp(lanes);
  }
  __DUET_FN unsigned size() const {
    return kind == block ? thread_block().size() : kind == tile ? width : (unsigned)__popc(lanes);
  }
  __DUET_FN unsigned num_threads() const { return size(); }
  __DUET_FN unsigned thread_rank() const {
    return kind == block  ? duet::flat_thread_id()
           : kind == tile ? duet::flat_thread_id() & (width - 1)
                          : (unsigned)__popc(lanes & detail::lanes_below(duet::lane_id()));
  }
};

// Tiles of compile-time size, of a block or of a larger tile.
template <unsigned Size, class Parent>
__DUET_FN thread_block_tile<Size, Parent> tiled_partition(const Parent &) {
  return thread_block_tile<Size, Parent>();
}
// Tiles of run-time size.
__DUET_FN thread_group tiled_partition(const thread_block &, unsigned size) {
  return thread_group(detail::tile_mask(duet::lane_id(), size), size);
}
__DUET_FN thread_group tiled_partition(const thread_group &, unsigned size) {
  return thread_group(detail::tile_mask(duet::lane_id(), size), size);
}
template <unsigned Size, class P>
__DUET_FN coalesced_group binary_partition(const thread_block_tile<Size, P> &t, bool predicate) {
  unsigned yes = __ballot_sync(t.mask(), predicate) & t.mask();
  return coalesced_group(predicate ? yes : t.mask() & ~yes);
}
__DUET_FN coalesced_group binary_partition(const coalesced_group &g, bool predicate) {
  unsigned yes = __ballot_sync(g.mask(), predicate) & g.mask();
  return coalesced_group(predicate ? yes : g.mask() & ~yes);
}
template <class Label, class Group>
__DUET_FN coalesced_group labeled_partition(const Group &g, Label label) {
  return coalesced_group(__match_any_sync(g.mask(), label));
}

template <class Group> __DUET_FN void sync(const Group &g) { g.sync(); }
template <class Group> __DUET_FN void synchronize(const Group &g) { g.sync(); }
template <class Group> __DUET_FN unsigned thread_rank(const Group &g) { return g.thread_rank(); }
template <class Group> __DUET_FN unsigned group_size(const Group &g) { return g.size(); }

// Runs on one thread of the group.
template <class Group, class F> __DUET_FN void invoke_one(const Group &g, F f) {
  if (g.thread_rank() == 0)
    f();
}

// Function objects of the collectives.
#define __DUET_CG_FUNCTION(NAME, EXPR)                                                             \
  template <class T = void> struct NAME {                                                          \
    __DUET_FN T operator()(T a, T b) const { return EXPR; }                                        \
  };                                                                                               \
  template <> struct NAME<void> {                                                                  \
    template <class T> __DUET_FN T operator()(T a, T b) const { return EXPR; }                     \
  };
__DUET_CG_FUNCTION(plus, a + b)
__DUET_CG_FUNCTION(less, b < a ? b : a)
__DUET_CG_FUNCTION(greater, a < b ? b : a)
__DUET_CG_FUNCTION(bit_and, a &b)
__DUET_CG_FUNCTION(bit_or, a | b)
__DUET_CG_FUNCTION(bit_xor, a ^ b)
#undef __DUET_CG_FUNCTION

} // namespace cooperative_groups
