/* Launches kernel `@KERNEL@` with the run in which Duet saw a defect:
@WHAT@

   Build: @BUILD@
   Run:   ./repro
          compute-sanitizer --tool racecheck ./repro   (races on shared memory)
          compute-sanitizer ./repro                    (accesses out of bounds)

   Made by `duet check --emit-repro`. */

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

/* Annotations mean nothing to other compilers. */
@HIDDEN@
/* The kernel's file may have a program of its own. */
#define main main_of_the_kernel_file
#include "@SOURCE@"
#undef main

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
    exit(1);
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

static void show(unsigned char *const *buffers, int number) {
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
  printf("\n");
}

int main() {
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
@SYMBOLS@    check("cudaLaunchKernel",
          cudaLaunchKernel((const void *)@KERNEL@, dim3(@GRID@), dim3(@LOCAL@), values, @SHARED@, 0));
    check("cudaDeviceSynchronize", cudaDeviceSynchronize());
    show(buffers, number);
    for (size_t at = 0; at < count; at++)
      if (buffers[at] && arguments[at].same_as < 0)
        cudaFree(buffers[at]);
  }
  return 0;
}
