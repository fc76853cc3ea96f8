//pass
//--blockDim=64 --gridDim=2

// The places are distinct: each is written by one thread, of whatever block.

__global__ void scatter(int *to, const int *places) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int place = places[i];
  __assume(__distinct_int(place));
  to[place] = i;
}
