//xfail:UNPROVEN
//--blockDim=64 --gridDim=1
//not-modelled

// What is assumed of the other thread in a loop is of no visit in particular: it is not
// left out without a word.
// A run knows one thread's values at a time, so none can tell whether this is kept.

__global__ void assumed(int *to, const int *a) {
  for (int i = 0; i < 4; i++) {
    int place = a[4 * threadIdx.x + i];
    __assume(__distinct_int(place));
    to[place] = i;
  }
}
