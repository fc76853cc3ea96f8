//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=2
//write-write-race

// The place of the result comes from a texture, which may send two threads to one.

static texture<int, 1, cudaReadModeElementType> places;

__global__ void scatter(float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[tex1Dfetch(places, i)] = i;
}
