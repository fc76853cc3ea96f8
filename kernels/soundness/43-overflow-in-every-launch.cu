//xfail:UNPROVEN
//--blockDim=64 --gridDim=1
//race

// The sum overflows in all threads but the first two, in every launch: that it does
// not is no assumption under which anything is worth proving.
// A run that overflows is no witness of a race.

__global__ void always_overflows(int *a) {
  int t = threadIdx.x;
  int big = 2147483646 + t;
  a[big & 1] = t;
}
