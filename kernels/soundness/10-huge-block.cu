//xfail:UNPROVEN
//--blockDim=[65536,65537] --gridDim=1
//write-write-race

// The flat number of a thread takes more than 32 bits: the two writers are in
// different warps, and the warp's barrier does not order them.
// No device has such blocks, and they are too large to be run here.

__global__ void huge_block(int *a) {
  if (threadIdx.x == 0 && threadIdx.y == 0)
    a[0] = 1;
  __syncwarp();
  if (threadIdx.x == 1 && threadIdx.y == 65536)
    a[0] = 2;
}
