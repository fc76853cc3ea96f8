// Eight threads, each with queues, a kernel and a buffer of its own, launch at the same time.
// Thread N gives its kernel the argument N, and its buffer (N + 1) * 256 bytes; the last
// one's is too small for what it asks for.
#include "host.h"
#include <pthread.h>

enum { THREADS = 8, LAUNCHES = 200 };

static const char *text =
    "kernel void put(global int *out, int value, int n) {\n"
    "    int i = get_global_id(0);\n"
    "    if (i < n) out[i] = value;\n"
    "}\n";

static cl_device_id device;
static cl_context context;
static cl_program program;

static void *work(void *data) {
    int number = (int)(size_t)data;
    cl_command_queue queues[2] = {clCreateCommandQueue(context, device, 0, NULL),
                                  clCreateCommandQueue(context, device, 0, NULL)};
    cl_kernel kernel = kernel_of(program, "put");
    cl_mem out = buffer_of(context, (size_t)(number + 1) * 256);
    int n = (number + 1) * 64 + (number == THREADS - 1);
    size_t global = 1024, local = 32;
    for (int i = 0; i < LAUNCHES; i++) {
        must(clSetKernelArg(kernel, 0, sizeof out, &out), "argument");
        must(clSetKernelArg(kernel, 1, sizeof number, &number), "argument");
        must(clSetKernelArg(kernel, 2, sizeof n, &n), "argument");
        must(clEnqueueNDRangeKernel(queues[i % 2], kernel, 1, NULL, &global, &local, 0, NULL, NULL), "put");
    }
    must(clFinish(queues[0]), "finish");
    must(clFinish(queues[1]), "finish");
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    device = first_device();
    context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    program = built(context, text, "");
    for (size_t i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, (void *)i);
    for (size_t i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    puts("done");
    return 0;
}
