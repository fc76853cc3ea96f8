// Launches a small kernel as often as its argument says, and prints the seconds that it took.
#include "host.h"
#include <time.h>

static const char *text =
    "kernel void advance(global float *out, global const float *in, float by, int n) {\n"
    "    int i = get_global_id(0);\n"
    "    if (i < n) out[i] = in[i] * by + out[i];\n"
    "}\n";

int main(int count, char **arguments) {
    int launches = count > 1 ? atoi(arguments[1]) : 10000;
    cl_device_id device = first_device();
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    cl_kernel step = kernel_of(built(context, text, NULL), "advance");
    cl_mem in = buffer_of(context, 16384), out = buffer_of(context, 16384);
    float by = 0.5f;
    int n = 4096;
    size_t global = 4096, local = 64;
    struct timespec start, end;
    for (int i = -100; i < launches; i++) {
        if (i == 0) clock_gettime(CLOCK_MONOTONIC, &start);
        must(clSetKernelArg(step, 0, sizeof out, &out), "argument");
        must(clSetKernelArg(step, 1, sizeof in, &in), "argument");
        must(clSetKernelArg(step, 2, sizeof by, &by), "argument");
        must(clSetKernelArg(step, 3, sizeof n, &n), "argument");
        must(clEnqueueNDRangeKernel(queue, step, 1, NULL, &global, &local, 0, NULL, NULL), "advance");
        must(clFinish(queue), "finish");
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("%.6f\n", (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9);
    return 0;
}
