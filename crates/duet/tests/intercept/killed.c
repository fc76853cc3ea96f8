// Makes launches with 1, 2, 3, ... as their argument, and is killed after the fifth.
#include "host.h"
#include <signal.h>
#include <unistd.h>

static const char *text =
    "kernel void put(global int *out, int at) { out[get_global_id(0) * at] = get_global_id(0); }\n";

int main(void) {
    cl_device_id device = first_device();
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    cl_program program = built(context, text, NULL);
    cl_kernel kernel = kernel_of(program, "put");
    cl_mem out = buffer_of(context, 4096);
    size_t global = 64, local = 16;
    must(clSetKernelArg(kernel, 0, sizeof out, &out), "argument");
    for (int at = 1;; at++) {
        must(clSetKernelArg(kernel, 1, sizeof at, &at), "argument");
        must(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL), "put");
        must(clFinish(queue), "finish");
        if (at == 5) kill(getpid(), SIGKILL);
    }
}
