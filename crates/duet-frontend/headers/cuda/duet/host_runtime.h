// The runtime as host code is read for its launches: memory, launches and the few other
// calls whose results sizes are made of, as inline functions over a short list of
// functions that the analysis of host code knows (`__duet_*`). What is not here is a
// function that nobody knows anything about. A device pointer is then a value that is
// defined by its allocation, and no analysis of out-parameters is needed.
#pragma once
#pragma clang system_header

#define __DUET_HOST_FN __attribute__((host)) inline __attribute__((always_inline, nodebug))

extern "C" {
// Memory of so many bytes that a kernel can reach, or null.
void *__duet_malloc(size_t) noexcept;
void __duet_free(const void *) noexcept;
// Whether a call went well; anything.
cudaError_t __duet_status(void) noexcept;
// The pitch of rows of so many bytes: at least that, and whole steps of the hardware.
size_t __duet_pitch(size_t) noexcept;
// Fills an object with what nobody knows.
void __duet_fill(void *, size_t) noexcept;
// So many bytes from there on become this one, in the order of the stream.
void __duet_memset(void *, int, size_t, cudaStream_t) noexcept;
// Bytes of the host are put into a variable of the device, from an offset on.
void __duet_symbol(const void *, const void *, size_t, size_t) noexcept;
// The launch that the next call of a kernel's stub makes.
int __duet_configure(unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, size_t,
                     cudaStream_t) noexcept;
// A launch by the address of the kernel's stub and of its arguments.
cudaError_t __duet_launch(const void *, unsigned, unsigned, unsigned, unsigned, unsigned,
                          unsigned, void **, size_t, cudaStream_t) noexcept;
}

extern "C" __DUET_HOST_FN int cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0,
                                                cudaStream_t stream = 0) {
  return __duet_configure(grid.x, grid.y, grid.z, block.x, block.y, block.z, shared, stream);
}

template <class T> __DUET_HOST_FN cudaError_t cudaMalloc(T **p, size_t n) {
  *p = (T *)__duet_malloc(n);
  return __duet_status();
}
template <class T>
__DUET_HOST_FN cudaError_t cudaMallocManaged(T **p, size_t n, unsigned = 1) {
  *p = (T *)__duet_malloc(n);
  return __duet_status();
}
template <class T, class... Pool>
__DUET_HOST_FN cudaError_t cudaMallocAsync(T **p, size_t n, Pool...) {
  *p = (T *)__duet_malloc(n);
  return __duet_status();
}
template <class T> __DUET_HOST_FN cudaError_t cudaMallocHost(T **p, size_t n, unsigned = 0) {
  *p = (T *)__duet_malloc(n);
  return __duet_status();
}
template <class T> __DUET_HOST_FN cudaError_t cudaHostAlloc(T **p, size_t n, unsigned) {
  *p = (T *)__duet_malloc(n);
  return __duet_status();
}
template <class T>
__DUET_HOST_FN cudaError_t cudaHostGetDevicePointer(T **p, void *h, unsigned) {
  *p = (T *)h;
  return __duet_status();
}
template <class T>
__DUET_HOST_FN cudaError_t cudaMallocPitch(T **p, size_t *pitch, size_t width, size_t height) {
  *pitch = __duet_pitch(width);
  *p = (T *)__duet_malloc(*pitch * height);
  return __duet_status();
}
__DUET_HOST_FN cudaError_t cudaFree(const void *p) {
  __duet_free(p);
  return __duet_status();
}
__DUET_HOST_FN cudaError_t cudaFreeAsync(const void *p, cudaStream_t) {
  __duet_free(p);
  return __duet_status();
}
__DUET_HOST_FN cudaError_t cudaFreeHost(const void *p) {
  __duet_free(p);
  return __duet_status();
}
__DUET_HOST_FN cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int) {
  __duet_fill(p, sizeof *p);
  p->warpSize = 32;
  return __duet_status();
}

__DUET_HOST_FN cudaError_t cudaMemset(void *p, int value, size_t n) {
  __duet_memset(p, value, n, 0);
  return __duet_status();
}
__DUET_HOST_FN cudaError_t cudaMemsetAsync(void *p, int value, size_t n, cudaStream_t s = 0) {
  __duet_memset(p, value, n, s);
  return __duet_status();
}

template <class T>
__DUET_HOST_FN cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *source, size_t n,
                                              size_t offset = 0, int = 1) {
  __duet_symbol(&symbol, source, n, offset);
  return __duet_status();
}

template <class F>
__DUET_HOST_FN cudaError_t cudaLaunchKernel(F *f, dim3 grid, dim3 block, void **args,
                                            size_t shared = 0, cudaStream_t stream = 0) {
  return __duet_launch((const void *)f, grid.x, grid.y, grid.z, block.x, block.y, block.z, args,
                       shared, stream);
}
template <class F>
__DUET_HOST_FN cudaError_t cudaLaunchCooperativeKernel(F *f, dim3 grid, dim3 block, void **args,
                                                       size_t shared = 0,
                                                       cudaStream_t stream = 0) {
  return __duet_launch((const void *)f, grid.x, grid.y, grid.z, block.x, block.y, block.z, args,
                       shared, stream);
}
template <class F>
__DUET_HOST_FN cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *c, F *f, void **args) {
  return __duet_launch((const void *)f, c->gridDim.x, c->gridDim.y, c->gridDim.z, c->blockDim.x,
                       c->blockDim.y, c->blockDim.z, args, c->dynamicSmemBytes, c->stream);
}
template <class... P, class... A>
__DUET_HOST_FN cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *c, void (*kernel)(P...),
                                              A &&...a) {
  if (!__duet_configure(c->gridDim.x, c->gridDim.y, c->gridDim.z, c->blockDim.x, c->blockDim.y,
                        c->blockDim.z, c->dynamicSmemBytes, c->stream))
    kernel((P)a...);
  return __duet_status();
}

// A kernel as a node of a graph: CUDA copies sizes and arguments when the node is made or
// changed, and each run of the graph launches it with these.
__DUET_HOST_FN cudaError_t __duet_graph_launch(const cudaKernelNodeParams *p) {
  return __duet_launch(p->func, p->gridDim.x, p->gridDim.y, p->gridDim.z, p->blockDim.x,
                       p->blockDim.y, p->blockDim.z, p->kernelParams, p->sharedMemBytes, 0);
}
template <class G, class D>
__DUET_HOST_FN cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, G, D, size_t,
                                                  const cudaKernelNodeParams *p) {
  __duet_fill(node, sizeof *node);
  return __duet_graph_launch(p);
}
__DUET_HOST_FN cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t,
                                                        const cudaKernelNodeParams *p) {
  return __duet_graph_launch(p);
}
__DUET_HOST_FN cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t, cudaGraphNode_t,
                                                            const cudaKernelNodeParams *p) {
  return __duet_graph_launch(p);
}
