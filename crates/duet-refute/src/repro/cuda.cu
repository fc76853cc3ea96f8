/* Launches kernel `@KERNEL@` with the run in which Duet saw a defect:
@WHAT@

   Build: @BUILD@
   Run:   ./repro
          compute-sanitizer --tool racecheck ./repro   (races on shared memory)
          compute-sanitizer ./repro                    (accesses out of bounds)

   Every launch has the same arguments and contents; threads that read `threadIdx` are
   delayed, by parity, and those that are not in one launch are in the next. A kernel
   without a race leaves the same memory each time. Exit code: 1 if launches differ, 0
   if none does, 2 if something fails.

   Made by `duet check --emit-repro`. */

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

/* Annotations mean nothing to other compilers. */
@HIDDEN@
/* Delays every other thread and warp; which ones, changes from launch to launch. */
static __device__ unsigned duet_parity;
static __device__ uint3 duet_thread_index() {
  const uint3 index = threadIdx;
  const unsigned flat = index.x + blockDim.x * (index.y + blockDim.y * index.z);
  if (((flat + flat / 32 + blockIdx.x) & 1) == duet_parity) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
    __nanosleep(5000);
#endif
  }
  return index;
}
#define threadIdx duet_thread_index()

/* The kernel's file may have a program of its own. */
#define main main_of_the_kernel_file
#include "@SOURCE@"
#undef main
#undef threadIdx

static const int launches = 10;

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

int main() {
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
    const unsigned parity = number % 2;
    check("cudaMemcpyToSymbol", cudaMemcpyToSymbol(duet_parity, &parity, sizeof parity));
@SYMBOLS@    check("cudaLaunchKernel",
          cudaLaunchKernel((const void *)@KERNEL@, dim3(@GRID@), dim3(@LOCAL@), values, @SHARED@, 0));
    check("cudaDeviceSynchronize", cudaDeviceSynchronize());
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
