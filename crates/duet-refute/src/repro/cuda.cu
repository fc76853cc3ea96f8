/* Launches kernel `@KERNEL@` with the run in which Duet saw a defect:
@WHAT@

   Build: @BUILD@
   Run:   ./repro
          compute-sanitizer --tool racecheck ./repro   (races on shared memory)
          compute-sanitizer ./repro                    (accesses out of bounds)

   Every launch has the same arguments and contents; threads are delayed where they read
   `threadIdx` and behind barriers: by a bit of the number of the thread, its warp or its
   block, another one in each launch. A kernel without a defect leaves the same memory each
   time. Exit code: 1 if launches differ, do not end or are ended by the device, 0 if not, 2
   if something else fails.

   Made by `duet check --emit-repro`. */

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

/* Annotations mean nothing to other compilers. */
@HIDDEN@
/* Delays some threads; which ones, changes from launch to launch. */
static __device__ unsigned duet_bit, duet_value;
static __device__ void duet_delay() {
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const unsigned number = (block << 10) | thread;
  if (((number >> duet_bit) & 1) == duet_value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
    __nanosleep(20000);
#endif
  }
}
static __device__ uint3 duet_thread_index() {
  duet_delay();
  return threadIdx;
}
#define threadIdx duet_thread_index()
#define __syncthreads() (__syncthreads(), duet_delay())
#define __syncwarp(...) (__syncwarp(__VA_ARGS__), duet_delay())

/* The kernel's file may have a program of its own. */
#define main main_of_the_kernel_file
#include "@SOURCE@"
#undef main
#undef threadIdx
#undef __syncthreads
#undef __syncwarp

namespace duet_repro {

static const int launches = 12;
/* Bits of the number of a thread in its warp, of its warp, and of its block. */
static const unsigned bits[] = {0, 5, 1, 10, 6, 4};
/* Seconds after which a launch is taken not to end. */
static const int patience = 10;

/* What is passed for a parameter: a number, or memory of the device. `same_as` names
   a parameter before it that points into the same memory, `shift` bytes from its
   start. */
enum Kind { NUMBER, BUFFER };
struct Argument {
  const char *name;
  Kind kind;
  size_t size;
  const unsigned char *bytes; /* the first ones; the rest is zero */
  size_t given;
  int same_as;
  size_t shift;
};

@DATA@
static const Argument arguments[] = {
@ARGUMENTS@};
static const size_t count = sizeof arguments / sizeof arguments[0];

/* The bytes that the run's defect is about, if the host can see them. */
static const int watched = @WATCHED@;
static const size_t first_byte = @FIRST@, bytes = @BYTES@;

static void check(const char *call, cudaError_t code) {
  if (code != cudaSuccess) {
    fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(code));
    exit(2);
  }
}

/* Memory of the device with its first contents. */
static unsigned char *make_buffer(const Argument &one) {
  unsigned char *memory = nullptr;
  check("cudaMalloc", cudaMalloc((void **)&memory, one.size));
  check("cudaMemset", cudaMemset(memory, 0, one.size));
  if (one.given)
    check("cudaMemcpy", cudaMemcpy(memory, one.bytes, one.given, cudaMemcpyHostToDevice));
  return memory;
}

/* The memory that a launch leaves, one buffer after the other. */
static unsigned char *results(unsigned char *const *buffers, size_t *size) {
  *size = 0;
  for (size_t at = 0; at < count; at++)
    if (buffers[at] && arguments[at].same_as < 0)
      *size += arguments[at].size;
  unsigned char *memory = (unsigned char *)calloc(*size + 1, 1), *next = memory;
  for (size_t at = 0; at < count; at++) {
    if (!buffers[at] || arguments[at].same_as >= 0)
      continue;
    check("cudaMemcpy", cudaMemcpy(next, buffers[at], arguments[at].size, cudaMemcpyDeviceToHost));
    next += arguments[at].size;
  }
  return memory;
}

static void show(unsigned char *const *buffers, int number, bool differs) {
  printf("launch %d: done", number);
  if (watched >= 0) {
    unsigned char seen[16] = {0};
    check("cudaMemcpy",
          cudaMemcpy(seen, buffers[watched] + first_byte, bytes, cudaMemcpyDeviceToHost));
    printf(", bytes %zu to %zu of %s are 0x", first_byte, first_byte + bytes - 1,
           arguments[watched].name);
    for (size_t at = bytes; at-- > 0;)
      printf("%02x", seen[at]);
  }
  printf(differs ? ", not as in launch 1\n" : "\n");
}

/* Waits for a launch. What ends it, or keeps it from ending, is the defect. */
static void wait(int number) {
  const auto start = std::chrono::steady_clock::now();
  cudaError_t state;
  while ((state = cudaStreamQuery(0)) == cudaErrorNotReady) {
    if (std::chrono::steady_clock::now() - start > std::chrono::seconds(patience)) {
      printf("launch %d: not done after %d seconds: threads wait for others that never come\n",
             number, patience);
      fflush(stdout);
      _Exit(1);
    }
  }
  if (state != cudaSuccess) {
    printf("launch %d: ended by the device: %s\n", number, cudaGetErrorString(state));
    exit(1);
  }
}

static int run() {
  unsigned char *first = nullptr;
  int seen = 0;
  for (int number = 1; number <= launches; number++) {
    unsigned char *buffers[64] = {nullptr};
    void *values[64] = {nullptr};
    for (size_t at = 0; at < count; at++) {
      const Argument &one = arguments[at];
      if (one.kind == NUMBER) {
        values[at] = const_cast<unsigned char *>(one.bytes);
        continue;
      }
      buffers[at] = one.same_as >= 0 ? buffers[one.same_as] + one.shift : make_buffer(one);
      values[at] = &buffers[at];
    }
    const unsigned value = number % 2, bit = bits[(number - 1) / 2 % (sizeof bits / sizeof bits[0])];
    check("cudaMemcpyToSymbol", cudaMemcpyToSymbol(duet_bit, &bit, sizeof bit));
    check("cudaMemcpyToSymbol", cudaMemcpyToSymbol(duet_value, &value, sizeof value));
@SYMBOLS@    check("cudaLaunchKernel",
          cudaLaunchKernel((const void *)::@KERNEL@, dim3(@GRID@), dim3(@LOCAL@), values, @SHARED@, 0));
    wait(number);
    size_t size;
    unsigned char *left = results(buffers, &size);
    const bool differs = first && memcmp(first, left, size) != 0;
    seen += differs;
    show(buffers, number, differs);
    if (first)
      free(left);
    else
      first = left;
    for (size_t at = 0; at < count; at++)
      if (buffers[at] && arguments[at].same_as < 0)
        cudaFree(buffers[at]);
  }
  printf("seen in %d of %d launches\n", seen, launches);
  return seen > 0;
}

} // namespace duet_repro

int main() { return duet_repro::run(); }
