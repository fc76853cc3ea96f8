//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1 --no-inline

// A specification that orders threads by more than barriers of the block is not believed.

__device__ void __spec_publish(int *p) {
  __writes_to(p);
  __threadfence();
  __ensures(p[0] == 1);
}

__global__ void fence(int *out, int *a) {
  __spec_publish(a);
  __syncthreads();
  out[a[0] == 1 ? threadIdx.x : 0] = threadIdx.x;
}
