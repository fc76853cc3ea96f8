//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=2
//race

// Each block says that it wants in and looks whether the other does, with no fence in between:
// both may look before either has said it.

__global__ void turns(int *wants, int *count) {
  __requires(wants[0] == 0);
  __requires(wants[1] == 0);
  volatile int *own = wants + blockIdx.x;
  volatile int *other = wants + (1 - blockIdx.x);
  *own = 1;
  if (*other == 0) {
    count[0] += 1;
    __threadfence();
  }
  *own = 0;
}
