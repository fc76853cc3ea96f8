//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2 --no-refute
//write-write-race

// The places are distinct, the halves of them are not.

__global__ void scatter(int *to, const int *places) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int place = places[i];
  __assume(__distinct_int(place));
  to[place / 2] = i;
}
