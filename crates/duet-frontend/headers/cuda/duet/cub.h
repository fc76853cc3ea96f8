// CUB, as far as kernels use it: collectives of a block and of a warp, as plain code over
// shared memory, barriers and shuffles. The memory that a collective is given is used by it
// until the block's next barrier, as in CUB. Algorithms for the whole device are functions
// of the host that nobody knows anything about.
#pragma once
#pragma clang system_header
#include <duet_cuda_prelude.h>

namespace cub {

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_WARP_REDUCTIONS
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE
};

struct NullType {};
#define __DUET_FUNCTION(NAME, EXPR)                                                                \
  struct NAME {                                                                                    \
    template <class T> __DUET_HD T operator()(const T &a, const T &b) const { return EXPR; }       \
  };
__DUET_FUNCTION(Sum, a + b)
__DUET_FUNCTION(Max, a < b ? b : a)
__DUET_FUNCTION(Min, b < a ? b : a)
#undef __DUET_FUNCTION

// A value of each thread of the block.
template <class T, int Threads> struct BlockValues {
  T value[Threads];
};

// A block of one warp is not synchronised as a block.
template <int Threads> __DUET_FN void sync_block() {
  if (Threads <= 32)
    __syncwarp();
  else
    __syncthreads();
}

// The first thread gets the result; what the others get is unknown.
template <class T, int X, BlockReduceAlgorithm A = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1,
          int Z = 1, int Arch = 0>
class BlockReduce {
public:
  typedef BlockValues<T, X * Y * Z> TempStorage;
  __DUET_FN explicit BlockReduce(TempStorage &memory) : memory(memory) {}
  template <class Op> __DUET_FN T Reduce(T x, Op op) { return Reduce(x, op, X * Y * Z); }
  // Of the first `valid` threads.
  template <class Op> __DUET_FN T Reduce(T x, Op op, int valid) {
    memory.value[duet::flat_thread_id()] = x;
    sync_block<X * Y * Z>();
    T result;
    if (duet::flat_thread_id() == 0) {
      result = x;
      for (int i = 1; i < valid && i < X * Y * Z; i++)
        result = op(result, memory.value[i]);
    }
    return result;
  }
  template <int Items, class Op> __DUET_FN T Reduce(T (&x)[Items], Op op) {
    T own = x[0];
    for (int i = 1; i < Items; i++)
      own = op(own, x[i]);
    return Reduce(own, op);
  }
  __DUET_FN T Sum(T x) { return Reduce(x, cub::Sum()); }
  __DUET_FN T Sum(T x, int valid) { return Reduce(x, cub::Sum(), valid); }
  template <int Items> __DUET_FN T Sum(T (&x)[Items]) { return Reduce(x, cub::Sum()); }

private:
  TempStorage &memory;
};

// One barrier, and reads behind it: a second use of the memory without a barrier is a race
// here, as it is in CUB.
template <class T, int X, BlockScanAlgorithm A = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1,
          int Arch = 0>
class BlockScan {
public:
  typedef BlockValues<T, X * Y * Z> TempStorage;
  __DUET_FN explicit BlockScan(TempStorage &memory) : memory(memory) {}
  template <class Op> __DUET_FN void InclusiveScan(T x, T &result, Op op) {
    T all;
    InclusiveScan(x, result, op, all);
  }
  template <class Op> __DUET_FN void InclusiveScan(T x, T &result, Op op, T &all) {
    T before;
    scan(x, before, op, all);
    result = duet::flat_thread_id() == 0 ? x : op(before, x);
  }
  template <class Op> __DUET_FN void ExclusiveScan(T x, T &result, T initial, Op op) {
    T all;
    ExclusiveScan(x, result, initial, op, all);
  }
  template <class Op> __DUET_FN void ExclusiveScan(T x, T &result, T initial, Op op, T &all) {
    T before;
    scan(x, before, op, all);
    result = duet::flat_thread_id() == 0 ? initial : op(initial, before);
  }
  __DUET_FN void InclusiveSum(T x, T &result) { InclusiveScan(x, result, cub::Sum()); }
  __DUET_FN void InclusiveSum(T x, T &result, T &all) { InclusiveScan(x, result, cub::Sum(), all); }
  __DUET_FN void ExclusiveSum(T x, T &result) { ExclusiveScan(x, result, T(), cub::Sum()); }
  __DUET_FN void ExclusiveSum(T x, T &result, T &all) {
    ExclusiveScan(x, result, T(), cub::Sum(), all);
  }

private:
  TempStorage &memory;

  // What comes before this thread, and all.
  template <class Op> __DUET_FN void scan(T x, T &before, Op op, T &all) {
    memory.value[duet::flat_thread_id()] = x;
    sync_block<X * Y * Z>();
    T sum = memory.value[0];
    for (unsigned i = 1; i < X * Y * Z; i++) {
      if (i == duet::flat_thread_id())
        before = sum;
      sum = op(sum, memory.value[i]);
    }
    all = sum;
  }
};

// Lanes exchange values by shuffles; the memory is not touched.
template <class T, int Lanes = 32, int Arch = 0> class WarpReduce {
  static_assert(Lanes > 0 && Lanes <= 32 && (Lanes & (Lanes - 1)) == 0,
                "only whole powers of two are modelled");

public:
  struct TempStorage {
    T unused;
  };
  __DUET_FN explicit WarpReduce(TempStorage &) {}
  template <class Op> __DUET_FN T Reduce(T x, Op op) {
    unsigned first = duet::lane_id() & ~(Lanes - 1);
    unsigned mask = Lanes == 32 ? 0xffffffffu : ((1u << (Lanes & 31)) - 1) << first;
    for (int distance = 1; distance < Lanes; distance *= 2)
      x = op(x, __shfl_down_sync(mask, x, distance, Lanes));
    return x;
  }
  __DUET_FN T Sum(T x) { return Reduce(x, cub::Sum()); }
};

// The items of the threads of a block: how they lie in memory, and where a transposition
// puts them on the way.
template <int X, int Items, bool Striped, bool Whole, bool Warps> struct BlockItems {
  // Where item `i` of this thread belongs.
  static __DUET_FN int own(int i) {
    return Striped ? i * X + (int)duet::flat_thread_id()
                   : (int)duet::flat_thread_id() * Items + i;
  }
  // Where it lies in memory while neighbours access neighbours.
  static __DUET_FN int passing(int i) {
    int rank = (int)duet::flat_thread_id();
    if (Warps)
      return rank / 32 * 32 * Items + i * 32 + rank % 32;
    return Whole ? i * X + rank : own(i);
  }
  static __DUET_FN void sync() {
    if (Warps)
      __syncwarp();
    else if (Whole)
      sync_block<X>();
  }
};

template <class T, int X, int Items, BlockLoadAlgorithm A = BLOCK_LOAD_DIRECT, int Y = 1,
          int Z = 1, int Arch = 0>
class BlockLoad {
  static constexpr bool warps = A == BLOCK_LOAD_WARP_TRANSPOSE;
  static constexpr bool turns = A == BLOCK_LOAD_TRANSPOSE || warps;
  typedef BlockItems<X * Y * Z, Items, A == BLOCK_LOAD_STRIPED, turns, warps> items_of;

public:
  struct TempStorage {
    T item[turns ? X * Y * Z * Items : 1];
  };
  __DUET_FN explicit BlockLoad(TempStorage &memory) : memory(memory) {}
  template <class Input> __DUET_FN void Load(Input from, T (&items)[Items]) {
    Load(from, items, X * Y * Z * Items);
  }
  template <class Input> __DUET_FN void Load(Input from, T (&items)[Items], int valid) {
    for (int i = 0; i < Items; i++)
      if (items_of::passing(i) < valid)
        items[i] = from[items_of::passing(i)];
    turn(items);
  }
  template <class Input, class D>
  __DUET_FN void Load(Input from, T (&items)[Items], int valid, D other) {
    for (int i = 0; i < Items; i++)
      items[i] = items_of::passing(i) < valid ? (T)from[items_of::passing(i)] : (T)other;
    turn(items);
  }

private:
  TempStorage &memory;

  __DUET_FN void turn(T (&items)[Items]) {
    if (!turns)
      return;
    for (int i = 0; i < Items; i++)
      memory.item[items_of::passing(i)] = items[i];
    items_of::sync();
    for (int i = 0; i < Items; i++)
      items[i] = memory.item[items_of::own(i)];
  }
};

template <class T, int X, int Items, BlockStoreAlgorithm A = BLOCK_STORE_DIRECT, int Y = 1,
          int Z = 1, int Arch = 0>
class BlockStore {
  static constexpr bool warps = A == BLOCK_STORE_WARP_TRANSPOSE;
  static constexpr bool turns = A == BLOCK_STORE_TRANSPOSE || warps;
  typedef BlockItems<X * Y * Z, Items, A == BLOCK_STORE_STRIPED, turns, warps> items_of;

public:
  struct TempStorage {
    T item[turns ? X * Y * Z * Items : 1];
  };
  __DUET_FN explicit BlockStore(TempStorage &memory) : memory(memory) {}
  template <class Output> __DUET_FN void Store(Output to, T (&items)[Items]) {
    Store(to, items, X * Y * Z * Items);
  }
  template <class Output> __DUET_FN void Store(Output to, T (&items)[Items], int valid) {
    if (turns) {
      for (int i = 0; i < Items; i++)
        memory.item[items_of::own(i)] = items[i];
      items_of::sync();
      for (int i = 0; i < Items; i++)
        items[i] = memory.item[items_of::passing(i)];
    }
    for (int i = 0; i < Items; i++)
      if (items_of::passing(i) < valid)
        to[items_of::passing(i)] = items[i];
  }

private:
  TempStorage &memory;
};

#define __DUET_CUB(X)                                                                              \
  X(Sum) X(Reduce) X(Min) X(Max) X(ArgMin) X(ArgMax) X(ExclusiveSum) X(InclusiveSum)               \
  X(ExclusiveScan) X(InclusiveScan) X(SortKeys) X(SortPairs) X(SortKeysDescending)                 \
  X(SortPairsDescending) X(Flagged) X(If) X(Unique) X(ReduceByKey) X(HistogramEven)
#define __DUET_DECLARE(NAME) template <class... Args> static __host__ cudaError_t NAME(Args &&...);
struct DeviceReduce {
  __DUET_CUB(__DUET_DECLARE)
};
struct DeviceScan {
  __DUET_CUB(__DUET_DECLARE)
};
struct DeviceRadixSort {
  __DUET_CUB(__DUET_DECLARE)
};
struct DeviceSelect {
  __DUET_CUB(__DUET_DECLARE)
};
struct DeviceHistogram {
  __DUET_CUB(__DUET_DECLARE)
};
#undef __DUET_DECLARE
#undef __DUET_CUB
template <class T> struct DoubleBuffer {
  T *d_buffers[2];
  int selector;
  __DUET_HD DoubleBuffer() : d_buffers{nullptr, nullptr}, selector(0) {}
  __DUET_HD DoubleBuffer(T *a, T *b) : d_buffers{a, b}, selector(0) {}
  __DUET_HD T *Current() { return d_buffers[selector]; }
  __DUET_HD T *Alternate() { return d_buffers[selector ^ 1]; }
};

} // namespace cub
