// The runtime API, declared for host code and no more. Each function takes any
// arguments: the host program is parsed for the kernels it holds and launches,
// not checked.
#pragma once
#pragma clang system_header

// Only the result type matters.
#ifndef __DUET_NATIVE__
#define __DUET_HOST_API(R, NAME) template <class... Args> __host__ R NAME(Args...);
#else // a host program that is really run, in tests: its launches are recorded
#define __DUET_HOST_API(R, NAME) template <class... Args> __host__ R NAME(Args...) { return R(); }
#endif
#define __DUET_RUNTIME(X)                                                                          \
  X(cudaArrayGetInfo) X(cudaArrayGetSparseProperties) X(cudaBindSurfaceToArray) X(cudaBindTexture) \
  X(cudaBindTexture2D) X(cudaBindTextureToArray) X(cudaBindTextureToMipmappedArray)                \
  X(cudaChooseDevice) X(cudaCreateSurfaceObject) X(cudaCreateTextureObject)                        \
  X(cudaCtxResetPersistingL2Cache) X(cudaDestroyExternalMemory) X(cudaDestroyExternalSemaphore)    \
  X(cudaDestroySurfaceObject) X(cudaDestroyTextureObject) X(cudaDeviceCanAccessPeer)               \
  X(cudaDeviceDisablePeerAccess) X(cudaDeviceEnablePeerAccess) X(cudaDeviceGetAttribute)           \
  X(cudaDeviceGetByPCIBusId) X(cudaDeviceGetCacheConfig) X(cudaDeviceGetDefaultMemPool)            \
  X(cudaDeviceGetGraphMemAttribute) X(cudaDeviceGetLimit) X(cudaDeviceGetMemPool)                  \
  X(cudaDeviceGetP2PAttribute) X(cudaDeviceGetPCIBusId) X(cudaDeviceGetSharedMemConfig)            \
  X(cudaDeviceGetStreamPriorityRange) X(cudaDeviceGraphMemTrim) X(cudaDeviceReset)                 \
  X(cudaDeviceSetCacheConfig) X(cudaDeviceSetGraphMemAttribute) X(cudaDeviceSetLimit)              \
  X(cudaDeviceSetMemPool) X(cudaDeviceSetSharedMemConfig) X(cudaDeviceSynchronize)                 \
  X(cudaDriverGetVersion) X(cudaEventCreate) X(cudaEventCreateWithFlags) X(cudaEventDestroy)       \
  X(cudaEventElapsedTime) X(cudaEventQuery) X(cudaEventRecord) X(cudaEventRecordWithFlags)         \
  X(cudaEventSynchronize) X(cudaExternalMemoryGetMappedBuffer)                                     \
  X(cudaExternalMemoryGetMappedMipmappedArray) X(cudaFree) X(cudaFreeArray) X(cudaFreeAsync)       \
  X(cudaFreeHost) X(cudaFreeMipmappedArray) X(cudaFuncGetAttributes)        \
  X(cudaFuncSetCacheConfig) X(cudaFuncSetSharedMemConfig) X(cudaGetChannelDesc) X(cudaGetDevice)   \
  X(cudaGetDeviceCount) X(cudaGetDeviceFlags) X(cudaGetDeviceProperties) X(cudaGetDriverEntryPoint) \
  X(cudaGetFuncBySymbol) X(cudaGetLastError) X(cudaGetMipmappedArrayLevel) X(cudaGetSymbolAddress) \
  X(cudaGetSymbolSize) X(cudaGetTextureObjectResourceDesc) X(cudaGLMapBufferObject)                \
  X(cudaGLRegisterBufferObject) X(cudaGLSetGLDevice) X(cudaGLUnmapBufferObject)                    \
  X(cudaGLUnregisterBufferObject) X(cudaGraphAddChildGraphNode) X(cudaGraphAddDependencies)        \
  X(cudaGraphAddEmptyNode) X(cudaGraphAddEventRecordNode) X(cudaGraphAddEventWaitNode)             \
  X(cudaGraphAddHostNode) X(cudaGraphAddKernelNode) X(cudaGraphAddMemAllocNode)                    \
  X(cudaGraphAddMemFreeNode) X(cudaGraphAddMemcpyNode) X(cudaGraphAddMemcpyNode1D)                 \
  X(cudaGraphAddMemcpyNodeFromSymbol) X(cudaGraphAddMemcpyNodeToSymbol) X(cudaGraphAddMemsetNode)  \
  X(cudaGraphAddNode) X(cudaGraphClone) X(cudaGraphConditionalHandleCreate) X(cudaGraphCreate)     \
  X(cudaGraphDebugDotPrint) X(cudaGraphDestroy) X(cudaGraphDestroyNode) X(cudaGraphExecDestroy)    \
  X(cudaGraphExecKernelNodeSetParams) X(cudaGraphExecMemcpyNodeSetParams)                          \
  X(cudaGraphExecMemsetNodeSetParams) X(cudaGraphExecHostNodeSetParams) X(cudaGraphExecUpdate)     \
  X(cudaGraphGetEdges) X(cudaGraphGetNodes) X(cudaGraphGetRootNodes) X(cudaGraphInstantiate)       \
  X(cudaGraphInstantiateWithFlags) X(cudaGraphKernelNodeGetParams)                                 \
  X(cudaGraphKernelNodeSetParams) X(cudaGraphLaunch) X(cudaGraphNodeGetType) X(cudaGraphUpload)    \
  X(cudaGraphicsGLRegisterBuffer) X(cudaGraphicsGLRegisterImage) X(cudaGraphicsMapResources)       \
  X(cudaGraphicsResourceGetMappedMipmappedArray) X(cudaGraphicsResourceGetMappedPointer)           \
  X(cudaGraphicsResourceSetMapFlags) X(cudaGraphicsSubResourceGetMappedArray)                      \
  X(cudaGraphicsUnmapResources) X(cudaGraphicsUnregisterResource) X(cudaHostAlloc)                 \
  X(cudaHostGetDevicePointer) X(cudaHostGetFlags) X(cudaHostRegister) X(cudaHostUnregister)        \
  X(cudaImportExternalMemory) X(cudaImportExternalSemaphore) X(cudaIpcCloseMemHandle)              \
  X(cudaIpcGetEventHandle) X(cudaIpcGetMemHandle) X(cudaIpcOpenEventHandle)                        \
  X(cudaIpcOpenMemHandle) X(cudaLaunch) X(cudaLaunchCooperativeKernel)                             \
  X(cudaLaunchCooperativeKernelMultiDevice) X(cudaLaunchHostFunc) X(cudaLaunchKernel)              \
  X(cudaLaunchKernelEx) X(cudaLaunchKernelExC) X(cudaMalloc) X(cudaMalloc3D) X(cudaMalloc3DArray)  \
  X(cudaMallocArray) X(cudaMallocAsync) X(cudaMallocFromPoolAsync) X(cudaMallocHost)               \
  X(cudaMallocManaged) X(cudaMallocMipmappedArray) X(cudaMallocPitch) X(cudaMemAdvise)             \
  X(cudaMemGetInfo) X(cudaMemPoolCreate) X(cudaMemPoolDestroy) X(cudaMemPoolExportPointer)         \
  X(cudaMemPoolExportToShareableHandle) X(cudaMemPoolGetAccess) X(cudaMemPoolGetAttribute)         \
  X(cudaMemPoolImportFromShareableHandle) X(cudaMemPoolImportPointer) X(cudaMemPoolSetAccess)      \
  X(cudaMemPoolSetAttribute) X(cudaMemPoolTrimTo) X(cudaMemPrefetchAsync)                          \
  X(cudaMemRangeGetAttribute) X(cudaMemcpy) X(cudaMemcpy2D) X(cudaMemcpy2DArrayToArray)            \
  X(cudaMemcpy2DAsync) X(cudaMemcpy2DFromArray) X(cudaMemcpy2DFromArrayAsync)                      \
  X(cudaMemcpy2DToArray) X(cudaMemcpy2DToArrayAsync) X(cudaMemcpy3D) X(cudaMemcpy3DAsync)          \
  X(cudaMemcpy3DPeer) X(cudaMemcpyArrayToArray) X(cudaMemcpyAsync) X(cudaMemcpyFromArray)          \
  X(cudaMemcpyFromSymbol) X(cudaMemcpyFromSymbolAsync) X(cudaMemcpyPeer) X(cudaMemcpyPeerAsync)    \
  X(cudaMemcpyToArray) X(cudaMemcpyToSymbol) X(cudaMemcpyToSymbolAsync) X(cudaMemset)              \
  X(cudaMemset2D) X(cudaMemset2DAsync) X(cudaMemset3D) X(cudaMemset3DAsync) X(cudaMemsetAsync)     \
  X(cudaOccupancyMaxActiveBlocksPerMultiprocessor)                                                 \
  X(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags) X(cudaOccupancyMaxActiveClusters)      \
  X(cudaOccupancyMaxPotentialBlockSize) X(cudaOccupancyMaxPotentialBlockSizeVariableSMem)          \
  X(cudaOccupancyMaxPotentialBlockSizeWithFlags) X(cudaPeekAtLastError)                            \
  X(cudaPointerGetAttributes) X(cudaProfilerStart) X(cudaProfilerStop) X(cudaRuntimeGetVersion)    \
  X(cudaSetDevice) X(cudaSetDeviceFlags) X(cudaSetDoubleForDevice) X(cudaSetValidDevices)          \
  X(cudaSetupArgument) X(cudaSignalExternalSemaphoresAsync) X(cudaStreamAddCallback)               \
  X(cudaStreamAttachMemAsync) X(cudaStreamBeginCapture) X(cudaStreamBeginCaptureToGraph)           \
  X(cudaStreamCopyAttributes) X(cudaStreamCreate) X(cudaStreamCreateWithFlags)                     \
  X(cudaStreamCreateWithPriority) X(cudaStreamDestroy) X(cudaStreamEndCapture)                     \
  X(cudaStreamGetAttribute) X(cudaStreamGetCaptureInfo) X(cudaStreamGetFlags)                      \
  X(cudaStreamGetPriority) X(cudaStreamIsCapturing) X(cudaStreamQuery) X(cudaStreamSetAttribute)   \
  X(cudaStreamSynchronize) X(cudaStreamUpdateCaptureDependencies) X(cudaStreamWaitEvent)           \
  X(cudaThreadExit) X(cudaThreadSetCacheConfig) X(cudaThreadSynchronize) X(cudaUnbindTexture)      \
  X(cudaWaitExternalSemaphoresAsync)
#ifdef __DUET_HOST__
// These are modelled in host_runtime.h; a function that takes anything would fit better.
#define cudaMalloc __duet_shadowed_cudaMalloc
#define cudaMallocManaged __duet_shadowed_cudaMallocManaged
#define cudaMallocAsync __duet_shadowed_cudaMallocAsync
#define cudaMallocHost __duet_shadowed_cudaMallocHost
#define cudaHostAlloc __duet_shadowed_cudaHostAlloc
#define cudaHostGetDevicePointer __duet_shadowed_cudaHostGetDevicePointer
#define cudaMallocPitch __duet_shadowed_cudaMallocPitch
#define cudaMemcpyToSymbol __duet_shadowed_cudaMemcpyToSymbol
#define cudaMemset __duet_shadowed_cudaMemset
#define cudaMemsetAsync __duet_shadowed_cudaMemsetAsync
#define cudaFree __duet_shadowed_cudaFree
#define cudaFreeAsync __duet_shadowed_cudaFreeAsync
#define cudaFreeHost __duet_shadowed_cudaFreeHost
#define cudaGetDeviceProperties __duet_shadowed_cudaGetDeviceProperties
#define cudaLaunchKernel __duet_shadowed_cudaLaunchKernel
#define cudaLaunchCooperativeKernel __duet_shadowed_cudaLaunchCooperativeKernel
#define cudaLaunchKernelExC __duet_shadowed_cudaLaunchKernelExC
#define cudaLaunchKernelEx __duet_shadowed_cudaLaunchKernelEx
#define cudaGraphAddKernelNode __duet_shadowed_cudaGraphAddKernelNode
#define cudaGraphKernelNodeSetParams __duet_shadowed_cudaGraphKernelNodeSetParams
#define cudaGraphExecKernelNodeSetParams __duet_shadowed_cudaGraphExecKernelNodeSetParams
#endif
#define __DUET_DECLARE(NAME) __DUET_HOST_API(cudaError_t, NAME)
__DUET_RUNTIME(__DUET_DECLARE)
#ifdef __DUET_HOST__
#undef cudaMalloc
#undef cudaMallocManaged
#undef cudaMallocAsync
#undef cudaMallocHost
#undef cudaHostAlloc
#undef cudaHostGetDevicePointer
#undef cudaMallocPitch
#undef cudaMemcpyToSymbol
#undef cudaMemset
#undef cudaMemsetAsync
#undef cudaFree
#undef cudaFreeAsync
#undef cudaFreeHost
#undef cudaGetDeviceProperties
#undef cudaLaunchKernel
#undef cudaLaunchCooperativeKernel
#undef cudaLaunchKernelExC
#undef cudaLaunchKernelEx
#undef cudaGraphAddKernelNode
#undef cudaGraphKernelNodeSetParams
#undef cudaGraphExecKernelNodeSetParams
#endif
#undef __DUET_DECLARE
#undef __DUET_RUNTIME
// Its last argument is often of a type without a name, which no template may be given.
#ifndef __DUET_NATIVE__
template <class F> __host__ cudaError_t cudaFuncSetAttribute(F *, cudaFuncAttribute, int);
#else
template <class F> __host__ cudaError_t cudaFuncSetAttribute(F *, cudaFuncAttribute, int) {
  return cudaError_t();
}
#endif
__host__ __device__ const char *cudaGetErrorString(cudaError_t);
__host__ __device__ const char *cudaGetErrorName(cudaError_t);

// A launch in code of the device is read as a call of this: it may do anything.
template <class... A> __host__ __device__ void __duet_dl(A...);

// What clang makes of `kernel<<<...>>>(...)`, in either of its two protocols.
#ifdef __DUET_HOST__
#include "host_runtime.h"
#else
extern "C" int cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0);
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0,
                                                cudaStream_t stream = 0);
#endif

__host__ cudaChannelFormatDesc cudaCreateChannelDesc(int, int, int, int, cudaChannelFormatKind);
template <class T> __host__ cudaChannelFormatDesc cudaCreateChannelDesc();
__host__ inline cudaExtent make_cudaExtent(size_t w, size_t h, size_t d) { return {w, h, d}; }
__host__ inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return {x, y, z}; }
__host__ inline cudaPitchedPtr make_cudaPitchedPtr(void *p, size_t pitch, size_t x, size_t y) {
  return {p, pitch, x, y};
}
// In a kernel that is the body of a graph's conditional node.
// It tells the graph what to run next, and touches nothing that a kernel sees.
__device__ inline void cudaGraphSetConditional(cudaGraphConditionalHandle, unsigned) {}
