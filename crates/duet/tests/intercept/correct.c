// A program whose launches are all fine: scaled vectors, a sum with local memory, the two
// halves of a buffer, an offset, and a size of group that OpenCL chooses.
#include "host.h"

static const char *text =
    "kernel void scale(global float *out, global const float *in, float by, int n) {\n"
    "    int i = get_global_id(0);\n"
    "    if (i < n) out[i] = in[i] * by;\n"
    "}\n"
    "kernel void sums(global int *out, global const int *in, local int *part) {\n"
    "    int t = get_local_id(0);\n"
    "    part[t] = in[get_global_id(0)];\n"
    "    for (int d = GROUP / 2; d > 0; d /= 2) {\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        if (t < d) part[t] += part[t + d];\n"
    "    }\n"
    "    if (t == 0) out[get_group_id(0)] = part[0];\n"
    "}\n"
    "kernel void from(global int *out) { out[get_global_id(0) - 64] = 1; }\n";

int main(void) {
    cl_device_id device = first_device();
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    cl_program program = built(context, text, "-DGROUP=64 -cl-std=CL1.2");
    cl_kernel scale = kernel_of(program, "scale");
    cl_mem in = buffer_of(context, 4000), out = buffer_of(context, 4000);
    float by = 2;
    int n = 1000;
    size_t global = 1024, local = 64;
    must(clSetKernelArg(scale, 0, sizeof out, &out), "argument");
    must(clSetKernelArg(scale, 1, sizeof in, &in), "argument");
    must(clSetKernelArg(scale, 2, sizeof by, &by), "argument");
    must(clSetKernelArg(scale, 3, sizeof n, &n), "argument");
    for (int i = 0; i < 10; i++)
        must(clEnqueueNDRangeKernel(queue, scale, 1, NULL, &global, &local, 0, NULL, NULL), "scale");
    must(clEnqueueNDRangeKernel(queue, scale, 1, NULL, &global, NULL, 0, NULL, NULL), "scale");

    cl_kernel sums = kernel_of(program, "sums");
    cl_buffer_region halves[2] = {{0, 2048}, {2048, 1024}};
    cl_mem low = clCreateSubBuffer(in, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &halves[0], NULL);
    cl_mem high = clCreateSubBuffer(in, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &halves[1], NULL);
    global = 512;
    must(clSetKernelArg(sums, 0, sizeof high, &high), "argument");
    must(clSetKernelArg(sums, 1, sizeof low, &low), "argument");
    must(clSetKernelArg(sums, 2, 64 * sizeof(int), NULL), "argument");
    must(clEnqueueNDRangeKernel(queue, sums, 1, NULL, &global, &local, 0, NULL, NULL), "sums");

    cl_kernel from = kernel_of(program, "from");
    size_t offset = 64;
    must(clSetKernelArg(from, 0, sizeof out, &out), "argument");
    must(clEnqueueNDRangeKernel(queue, from, 1, &offset, &global, &local, 0, NULL, NULL), "from");
    // This one is refused, so it is no launch: a group does not have that many work-items.
    size_t huge = 1 << 20;
    if (clEnqueueNDRangeKernel(queue, from, 1, NULL, &huge, &huge, 0, NULL, NULL) == CL_SUCCESS)
        return 1;
    must(clFinish(queue), "finish");
    puts("done");
    return 0;
}
