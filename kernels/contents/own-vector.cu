//pass
//--blockDim=64 --gridDim=1

// The index is a part of a vector.

__global__ void k(int *out) {
  __shared__ int2 a[64];
  int t = threadIdx.x;
  a[t] = make_int2(t, t ^ 7);
  __syncthreads();
  out[a[t].y] = a[t].x;
}
