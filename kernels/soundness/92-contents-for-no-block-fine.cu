//pass
//--blockDim=7 --gridDim=1

// Seven threads can meet it.

__global__ void needs_seven(int *a, const unsigned *p) {
  __requires((p[0] & 7) != threadIdx.x);
  a[threadIdx.x] = threadIdx.x;
}
