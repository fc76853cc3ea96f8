//xfail:UNPROVEN
//--blockDim=256 --gridDim=64
//write-write-race

// All blocks overflow but the first, the fifth, the one in the middle and the last, and
// they race. No run of the launch keeps to the assumption that there is no overflow, so
// nothing follows from a proof under it, though a few blocks of the launch do keep to it.
// A run that overflows is no witness of a race.

__global__ void overflows_between(int *a) {
  int b = blockIdx.x;
  int x = b * (b - 5) * (b - 32) * (b - 63) * 1000003 * 30001;
  if ((x & 1) == 0 && b != 0 && b != 32 && b != 63)
    a[threadIdx.x] = b;
}
