//pass
//--blockDim=64 --gridDim=1

// Another row of whichever surface it is.

__global__ void choose(cudaSurfaceObject_t s, cudaSurfaceObject_t r, int c) {
  cudaSurfaceObject_t q = c ? s : r;
  surf2Dwrite((int)threadIdx.x, q, threadIdx.x * 4, 0);
  surf2Dwrite((int)threadIdx.x, s, (threadIdx.x ^ 1) * 4, 1);
}
