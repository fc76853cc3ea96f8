//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1 --no-refute
//write-write-race

// The first write is before what is assumed: it is not excused, not even where the
// other thread has got further.

__global__ void scatter(int *to, const int *places) {
  int place = places[threadIdx.x];
  to[place] = 1;
  __assume(__distinct_int(place));
  to[place] = 2;
}
