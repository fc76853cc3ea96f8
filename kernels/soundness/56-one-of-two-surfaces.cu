//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//write-write-race

// A surface that is chosen from two may be either of them.

__global__ void choose(cudaSurfaceObject_t s, cudaSurfaceObject_t r, int c) {
  cudaSurfaceObject_t q = c ? s : r;
  surf2Dwrite((int)threadIdx.x, q, threadIdx.x * 4, 0);
  surf2Dwrite((int)threadIdx.x, s, (threadIdx.x ^ 1) * 4, 0);
}
