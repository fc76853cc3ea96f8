/* Launches kernel `@KERNEL@` with the run in which Duet saw a defect:
@WHAT@

   Build: @BUILD@
   Run:   ./repro            (in this folder: it reads `@SOURCE@`)

   Every launch has the same arguments and contents. Every other one gives work-items
   the ids of the last ones first, and delays every other group: a kernel without a
   race leaves the same memory each time. Exit code: 1 if launches differ, 0 if none
   does, 2 if something fails.

   Made by `duet check --emit-repro`. */

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAUNCHES 10

/* What is passed for a parameter: a number, memory of the device, or memory of a
   group. `same_as` names a parameter before it that points to the same memory. */
enum kind { NUMBER, BUFFER, LOCAL };
struct argument {
  const char *name;
  enum kind kind;
  size_t size;
  const unsigned char *bytes; /* the first ones; the rest is zero */
  size_t given;
  int same_as;
};

@DATA@
static const struct argument arguments[] = {
@ARGUMENTS@};
static const size_t count = sizeof arguments / sizeof arguments[0];

static const cl_uint dimensions = @DIMENSIONS@;
static const size_t offset[3] = {@OFFSET@};
static const size_t global_size[3] = {@GLOBAL@};
static const size_t local_size[3] = {@LOCAL@};

/* The bytes that the run's defect is about, if the host can see them. */
static const int watched = @WATCHED@;
static const size_t first_byte = @FIRST@, bytes = @BYTES@;

/* Annotations mean nothing to other compilers. */
static const char *hidden =
@HIDDEN@;

static void check(const char *call, cl_int code) {
  if (code != CL_SUCCESS) {
    fprintf(stderr, "%s failed with code %d\n", call, (int)code);
    exit(2);
  }
}

static char *read_file(const char *name) {
  FILE *file = fopen(name, "rb");
  if (!file) {
    fprintf(stderr, "cannot read %s\n", name);
    exit(2);
  }
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  char *text = calloc((size_t)size + 1, 1);
  if (fread(text, 1, (size_t)size, file) != (size_t)size)
    exit(2);
  fclose(file);
  return text;
}

/* Ids for the other order of work-items, and delays. */
static const char *orders[2] = {
@ORDERS@};

static cl_program build(cl_context context, cl_device_id device, int order) {
  const char *sources[3] = {hidden, orders[order], read_file("@SOURCE@")};
  cl_int code;
  cl_program program = clCreateProgramWithSource(context, 3, sources, NULL, &code);
  check("clCreateProgramWithSource", code);
  code = clBuildProgram(program, 1, &device, @OPTIONS@, NULL, NULL);
  if (code != CL_SUCCESS) {
    static char log[1 << 16];
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    fprintf(stderr, "%s\n", log);
  }
  check("clBuildProgram", code);
  return program;
}

/* Memory of the device with its first contents. */
static cl_mem make_buffer(cl_context context, const struct argument *one) {
  unsigned char *contents = calloc(one->size, 1);
  if (one->given)
    memcpy(contents, one->bytes, one->given);
  cl_int code;
  cl_mem buffer =
      clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, one->size, contents, &code);
  check("clCreateBuffer", code);
  free(contents);
  return buffer;
}

/* The memory that a launch leaves, one buffer after the other. */
static unsigned char *results(cl_command_queue queue, const cl_mem *buffers, size_t *size) {
  *size = 0;
  for (size_t at = 0; at < count; at++)
    if (buffers[at] && arguments[at].same_as < 0)
      *size += arguments[at].size;
  unsigned char *memory = calloc(*size + 1, 1), *next = memory;
  for (size_t at = 0; at < count; at++) {
    if (!buffers[at] || arguments[at].same_as >= 0)
      continue;
    check("clEnqueueReadBuffer", clEnqueueReadBuffer(queue, buffers[at], CL_TRUE, 0,
                                                     arguments[at].size, next, 0, NULL, NULL));
    next += arguments[at].size;
  }
  return memory;
}

static void show(cl_command_queue queue, const cl_mem *buffers, int number, int differs) {
  printf("launch %d: done", number);
  if (watched >= 0) {
    unsigned char seen[16] = {0};
    check("clEnqueueReadBuffer", clEnqueueReadBuffer(queue, buffers[watched], CL_TRUE, first_byte,
                                                     bytes, seen, 0, NULL, NULL));
    printf(", bytes %zu to %zu of %s are 0x", first_byte, first_byte + bytes - 1,
           arguments[watched].name);
    for (size_t at = bytes; at-- > 0;)
      printf("%02x", seen[at]);
  }
  printf(differs ? ", not as in launch 1\n" : "\n");
}

int main(void) {
  cl_platform_id platform;
  cl_device_id device;
  cl_int code;
  check("clGetPlatformIDs", clGetPlatformIDs(1, &platform, NULL));
  check("clGetDeviceIDs", clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
  check("clCreateContext", code);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
  check("clCreateCommandQueue", code);
  cl_kernel kernels[2];
  for (int order = 0; order < 2; order++) {
    kernels[order] = clCreateKernel(build(context, device, order), "@KERNEL@", &code);
    check("clCreateKernel", code);
  }
  unsigned char *first = NULL;
  int seen = 0;
  for (int number = 1; number <= LAUNCHES; number++) {
    cl_kernel kernel = kernels[(number - 1) % 2];
    cl_mem buffers[64] = {0};
    for (size_t at = 0; at < count; at++) {
      const struct argument *one = &arguments[at];
      if (one->kind == BUFFER)
        buffers[at] = one->same_as >= 0 ? buffers[one->same_as] : make_buffer(context, one);
      const void *value = one->kind == NUMBER ? (const void *)one->bytes
                          : one->kind == BUFFER ? (const void *)&buffers[at]
                                                : NULL;
      size_t size = one->kind == BUFFER ? sizeof(cl_mem) : one->size;
      check("clSetKernelArg", clSetKernelArg(kernel, (cl_uint)at, size, value));
    }
    check("clEnqueueNDRangeKernel",
          clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global_size, local_size, 0,
                                 NULL, NULL));
    check("clFinish", clFinish(queue));
    size_t size;
    unsigned char *left = results(queue, buffers, &size);
    int differs = first && memcmp(first, left, size) != 0;
    seen += differs;
    show(queue, buffers, number, differs);
    if (first)
      free(left);
    else
      first = left;
    for (size_t at = 0; at < count; at++)
      if (buffers[at] && arguments[at].same_as < 0)
        clReleaseMemObject(buffers[at]);
  }
  printf("seen in %d of %d launches\n", seen, LAUNCHES);
  return seen > 0;
}
