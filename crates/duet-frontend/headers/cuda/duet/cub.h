// CUB, as far as kernels use it: collectives of a block and of a warp, as plain code over
// shared memory, barriers and shuffles. The memory that a collective is given is used by it
// until the block's next barrier, as in CUB. Algorithms for the whole device are functions
// of the host that nobody knows anything about.
#pragma once
#pragma clang system_header
#include <duet/algorithm.h>

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
struct Equality {
  template <class T> __DUET_HD bool operator()(const T &a, const T &b) const { return a == b; }
};
struct Inequality {
  template <class T> __DUET_HD bool operator()(const T &a, const T &b) const { return a != b; }
};
template <class Key, class Value> struct KeyValuePair {
  typedef Key KeyT;
  typedef Value ValueT;
  Key key;
  Value value;
  KeyValuePair() = default;
  __DUET_HD KeyValuePair(const Key &key, const Value &value) : key(key), value(value) {}
};
#define __DUET_FUNCTION(NAME, IS)                                                                  \
  struct NAME {                                                                                    \
    template <class K, class V>                                                                    \
    __DUET_HD KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &a,                           \
                                            const KeyValuePair<K, V> &b) const {                   \
      return b.value IS a.value || (a.value == b.value && b.key < a.key) ? b : a;                  \
    }                                                                                              \
  };
__DUET_FUNCTION(ArgMax, >)
__DUET_FUNCTION(ArgMin, <)
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

// Items change places through the memory, with one barrier.
template <class T, int X, int Items, bool TimeSlicing = false, int Y = 1, int Z = 1, int Arch = 0>
class BlockExchange {
public:
  typedef BlockValues<T, X * Y * Z * Items> TempStorage;
  __DUET_FN explicit BlockExchange(TempStorage &memory) : memory(memory) {}
  template <class U> __DUET_FN void BlockedToStriped(T (&from)[Items], U (&to)[Items]) {
    for (int i = 0; i < Items; i++)
      memory.value[duet::flat_thread_id() * Items + i] = from[i];
    sync_block<X * Y * Z>();
    for (int i = 0; i < Items; i++)
      to[i] = memory.value[i * X * Y * Z + duet::flat_thread_id()];
  }
  template <class U> __DUET_FN void StripedToBlocked(T (&from)[Items], U (&to)[Items]) {
    for (int i = 0; i < Items; i++)
      memory.value[i * X * Y * Z + duet::flat_thread_id()] = from[i];
    sync_block<X * Y * Z>();
    for (int i = 0; i < Items; i++)
      to[i] = memory.value[duet::flat_thread_id() * Items + i];
  }
  __DUET_FN void BlockedToStriped(T (&items)[Items]) { BlockedToStriped(items, items); }
  __DUET_FN void StripedToBlocked(T (&items)[Items]) { StripedToBlocked(items, items); }

private:
  TempStorage &memory;
};

// Which item a sort puts at a place: any. Runs make it up, so they refute nothing.
extern "C" __device__ __attribute__((const)) unsigned duet_cub_sorted_from(unsigned);

// A sort leaves one of the items at each place; which one is not known, only that the key
// and the value come from the same place. The memory is written before a barrier, and any
// part of it is read behind the barrier.
template <class Key, int X, int Items, class Value = NullType, int Bits = 4, bool Memoize = true,
          BlockScanAlgorithm A = BLOCK_SCAN_WARP_SCANS, int Config = 0, int Y = 1, int Z = 1,
          int Arch = 0>
class BlockRadixSort {
public:
  struct TempStorage {
    Key key[X * Y * Z * Items];
    Value value[X * Y * Z * Items];
  };
  __DUET_FN explicit BlockRadixSort(TempStorage &memory) : memory(memory) {}
  __DUET_FN void Sort(Key (&keys)[Items], int = 0, int = sizeof(Key) * 8) { sort(keys); }
  __DUET_FN void SortDescending(Key (&keys)[Items], int = 0, int = sizeof(Key) * 8) { sort(keys); }
  __DUET_FN void SortBlockedToStriped(Key (&keys)[Items], int = 0, int = sizeof(Key) * 8) {
    sort(keys);
  }
  __DUET_FN void Sort(Key (&keys)[Items], Value (&values)[Items], int = 0,
                      int = sizeof(Key) * 8) {
    sort(keys, values);
  }
  __DUET_FN void SortDescending(Key (&keys)[Items], Value (&values)[Items], int = 0,
                                int = sizeof(Key) * 8) {
    sort(keys, values);
  }
  __DUET_FN void SortBlockedToStriped(Key (&keys)[Items], Value (&values)[Items], int = 0,
                                      int = sizeof(Key) * 8) {
    sort(keys, values);
  }

private:
  TempStorage &memory;

  static __DUET_FN unsigned source() {
    return duet_cub_sorted_from(__duet_fresh_i32()) % (X * Y * Z * Items);
  }
  __DUET_FN void sort(Key (&keys)[Items]) {
    for (int i = 0; i < Items; i++)
      memory.key[duet::flat_thread_id() * Items + i] = keys[i];
    sync_block<X * Y * Z>();
    for (int i = 0; i < Items; i++)
      keys[i] = memory.key[source()];
  }
  __DUET_FN void sort(Key (&keys)[Items], Value (&values)[Items]) {
    for (int i = 0; i < Items; i++) {
      memory.key[duet::flat_thread_id() * Items + i] = keys[i];
      memory.value[duet::flat_thread_id() * Items + i] = values[i];
    }
    sync_block<X * Y * Z>();
    for (int i = 0; i < Items; i++) {
      unsigned from = source();
      keys[i] = memory.key[from];
      values[i] = memory.value[from];
    }
  }
};

// Lanes exchange values by shuffles; the memory is not touched.
template <class T, int Lanes = 32, int Arch = 0> class WarpScan {
  static_assert(Lanes > 0 && Lanes <= 32 && (Lanes & (Lanes - 1)) == 0,
                "only whole powers of two are modelled");

public:
  struct TempStorage {
    T unused;
  };
  __DUET_FN explicit WarpScan(TempStorage &) {}
  template <class Op> __DUET_FN void InclusiveScan(T x, T &result, Op op) {
    for (int distance = 1; distance < Lanes; distance *= 2) {
      T other = __shfl_up_sync(mask(), x, distance, Lanes);
      if ((int)(duet::lane_id() & (Lanes - 1)) >= distance)
        x = op(other, x);
    }
    result = x;
  }
  template <class Op> __DUET_FN void InclusiveScan(T x, T &result, Op op, T &all) {
    InclusiveScan(x, result, op);
    all = __shfl_sync(mask(), result, Lanes - 1, Lanes);
  }
  template <class Op> __DUET_FN void ExclusiveScan(T x, T &result, T initial, Op op) {
    T sum;
    InclusiveScan(x, sum, op);
    T before = __shfl_up_sync(mask(), sum, 1, Lanes);
    result = (duet::lane_id() & (Lanes - 1)) == 0 ? initial : op(initial, before);
  }
  template <class Op> __DUET_FN void ExclusiveScan(T x, T &result, T initial, Op op, T &all) {
    T sum;
    InclusiveScan(x, sum, op, all);
    T before = __shfl_up_sync(mask(), sum, 1, Lanes);
    result = (duet::lane_id() & (Lanes - 1)) == 0 ? initial : op(initial, before);
  }
  __DUET_FN void InclusiveSum(T x, T &result) { InclusiveScan(x, result, cub::Sum()); }
  __DUET_FN void InclusiveSum(T x, T &result, T &all) { InclusiveScan(x, result, cub::Sum(), all); }
  __DUET_FN void ExclusiveSum(T x, T &result) { ExclusiveScan(x, result, T(), cub::Sum()); }
  __DUET_FN void ExclusiveSum(T x, T &result, T &all) {
    ExclusiveScan(x, result, T(), cub::Sum(), all);
  }
  __DUET_FN T Broadcast(T x, unsigned lane) { return __shfl_sync(mask(), x, lane, Lanes); }

private:
  static __DUET_FN unsigned mask() {
    unsigned first = duet::lane_id() & ~(Lanes - 1);
    return Lanes == 32 ? 0xffffffffu : ((1u << (Lanes & 31)) - 1) << first;
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
  X(SortPairsDescending) X(Flagged) X(If) X(Unique) X(ReduceByKey) X(HistogramEven)                \
  X(HistogramRange) X(MultiHistogramEven) X(UniqueByKey) X(Encode) X(NonTrivialRuns)               \
  X(ExclusiveSumByKey) X(InclusiveSumByKey) X(ExclusiveScanByKey) X(InclusiveScanByKey)            \
  X(StableSortKeys) X(StableSortPairs) X(Bulk) X(ForEach) X(ForEachN) X(TransformReduce)
#ifndef __DUET_NATIVE__
#define __DUET_DECLARE(NAME)                                                                       \
  template <class... Args> static __host__ cudaError_t NAME(Args &&...args) {                      \
    int given[] = {0, __duet_algorithm(__builtin_addressof(args))...};                             \
    return (void)given, (cudaError_t)__duet_algorithm(nullptr);                                    \
  }
#else // a host program that is really run, in tests
#define __DUET_DECLARE(NAME)                                                                       \
  template <class... Args> static __host__ cudaError_t NAME(Args &&...) { return cudaSuccess; }
#endif
#define __DUET_ALGORITHMS(NAME)                                                                    \
  struct NAME {                                                                                    \
    __DUET_CUB(__DUET_DECLARE)                                                                     \
  };
__DUET_ALGORITHMS(DeviceReduce)
__DUET_ALGORITHMS(DeviceScan)
__DUET_ALGORITHMS(DeviceRadixSort)
__DUET_ALGORITHMS(DeviceSelect)
__DUET_ALGORITHMS(DeviceHistogram)
__DUET_ALGORITHMS(DevicePartition)
__DUET_ALGORITHMS(DeviceMergeSort)
__DUET_ALGORITHMS(DeviceRunLengthEncode)
__DUET_ALGORITHMS(DeviceSegmentedReduce)
__DUET_ALGORITHMS(DeviceSegmentedRadixSort)
__DUET_ALGORITHMS(DeviceSegmentedSort)
__DUET_ALGORITHMS(DeviceFor)
#undef __DUET_ALGORITHMS
#undef __DUET_DECLARE
#undef __DUET_CUB

// Iterators, as far as they are plain code.
template <class T, class Offset = ptrdiff_t> struct CountingInputIterator {
  T first;
  __DUET_HD explicit CountingInputIterator(T first) : first(first) {}
  __DUET_HD T operator[](Offset n) const { return first + n; }
  __DUET_HD T operator*() const { return first; }
  __DUET_HD CountingInputIterator operator+(Offset n) const {
    return CountingInputIterator(first + n);
  }
};
template <class T, class Offset = ptrdiff_t> struct ConstantInputIterator {
  T value;
  __DUET_HD explicit ConstantInputIterator(T value) : value(value) {}
  __DUET_HD T operator[](Offset) const { return value; }
  __DUET_HD T operator*() const { return value; }
  __DUET_HD ConstantInputIterator operator+(Offset) const { return *this; }
};
template <class T, class Op, class Input, class Offset = ptrdiff_t> struct TransformInputIterator {
  Input from;
  Op op;
  __DUET_HD TransformInputIterator(Input from, Op op) : from(from), op(op) {}
  __DUET_HD T operator[](Offset n) const { return op(from[n]); }
  __DUET_HD T operator*() const { return op(*from); }
  __DUET_HD TransformInputIterator operator+(Offset n) const {
    return TransformInputIterator(from + n, op);
  }
};
template <class Input, class Offset = ptrdiff_t, class Output = void> struct ArgIndexInputIterator {
  Input from;
  __DUET_HD explicit ArgIndexInputIterator(Input from) : from(from) {}
};

// Memory of the device that is kept for later.
struct CachingDeviceAllocator {
  template <class... Args> __host__ explicit CachingDeviceAllocator(Args &&...);
  template <class... Args> __host__ cudaError_t DeviceAllocate(Args &&...);
  __host__ cudaError_t DeviceFree(void *);
  __host__ cudaError_t DeviceFree(int, void *);
  __host__ cudaError_t FreeAllCached();
};

__DUET_FN unsigned LaneId() { return duet::lane_id(); }
__DUET_FN unsigned WarpId() { return duet::flat_thread_id() / 32; }
__DUET_FN int RowMajorTid(int, int, int) { return (int)duet::flat_thread_id(); }
template <class T, class Input, int Items>
__DUET_FN void LoadDirectBlocked(int rank, Input from, T (&items)[Items]) {
  for (int i = 0; i < Items; i++)
    items[i] = from[rank * Items + i];
}
template <int X, class T, class Input, int Items>
__DUET_FN void LoadDirectStriped(int rank, Input from, T (&items)[Items]) {
  for (int i = 0; i < Items; i++)
    items[i] = from[rank + i * X];
}
template <class T, class Output, int Items>
__DUET_FN void StoreDirectBlocked(int rank, Output to, T (&items)[Items]) {
  for (int i = 0; i < Items; i++)
    to[rank * Items + i] = items[i];
}
template <int X, class T, class Output, int Items>
__DUET_FN void StoreDirectStriped(int rank, Output to, T (&items)[Items]) {
  for (int i = 0; i < Items; i++)
    to[rank + i * X] = items[i];
}

template <class T> struct DoubleBuffer {
  T *d_buffers[2];
  int selector;
  __DUET_HD DoubleBuffer() : d_buffers{nullptr, nullptr}, selector(0) {}
  __DUET_HD DoubleBuffer(T *a, T *b) : d_buffers{a, b}, selector(0) {}
  __DUET_HD T *Current() { return d_buffers[selector]; }
  __DUET_HD T *Alternate() { return d_buffers[selector ^ 1]; }
};

} // namespace cub
