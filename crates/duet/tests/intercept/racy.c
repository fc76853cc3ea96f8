// One launch of `shift` is fine and one races: neighbours share the buffer. A launch of
// `fill` leaves its buffer, and another reaches past the end of its half.
#include "host.h"

static const char *text =
    "kernel void shift(global int *to, global const int *from) {\n"
    "    int i = get_global_id(0);\n"
    "    to[i] = from[i + 1];\n"
    "}\n"
    "kernel void fill(global int *out, int n) {\n"
    "    int i = get_global_id(0);\n"
    "    if (i < n) out[i] = i;\n"
    "}\n";

static void shift_into(cl_command_queue queue, cl_kernel shift, cl_mem to, cl_mem from) {
    size_t global = 128, local = 32;
    must(clSetKernelArg(shift, 0, sizeof to, &to), "argument");
    must(clSetKernelArg(shift, 1, sizeof from, &from), "argument");
    must(clEnqueueNDRangeKernel(queue, shift, 1, NULL, &global, &local, 0, NULL, NULL), "shift");
}

int main(void) {
    cl_device_id device = first_device();
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    cl_program program = built(context, text, NULL);
    cl_kernel shift = kernel_of(program, "shift");
    cl_mem one = buffer_of(context, 1024), other = buffer_of(context, 1024);
    shift_into(queue, shift, one, other);
    shift_into(queue, shift, one, one);

    cl_kernel fill = kernel_of(program, "fill");
    int n = 257;
    size_t global = 512, local = 64;
    must(clSetKernelArg(fill, 0, sizeof one, &one), "argument");
    must(clSetKernelArg(fill, 1, sizeof n, &n), "argument");
    must(clEnqueueNDRangeKernel(queue, fill, 1, NULL, &global, &local, 0, NULL, NULL), "fill");

    cl_buffer_region half = {0, 512};
    cl_mem low = clCreateSubBuffer(one, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &half, NULL);
    n = 129;
    must(clSetKernelArg(fill, 0, sizeof low, &low), "argument");
    must(clSetKernelArg(fill, 1, sizeof n, &n), "argument");
    must(clEnqueueNDRangeKernel(queue, fill, 1, NULL, &global, &local, 0, NULL, NULL), "fill");
    must(clFinish(queue), "finish");
    return 0;
}
