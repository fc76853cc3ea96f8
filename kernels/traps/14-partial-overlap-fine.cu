//pass
//--blockDim=64 --gridDim=1

// If the two bytes are equal, so is the overlap.

__global__ void overlap(unsigned char *p) {
  uchar2 v = make_uchar2(1, 1);
  *(uchar2 *)(p + threadIdx.x) = v;
}
