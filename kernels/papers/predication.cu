//pass
//--blockDim=64 --gridDim=2

// Engineering, section 2: two arms of a conditional on the thread's number.

__global__ void arms(int *a) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  if (tid > 0)
    a[tid - 1] = tid;
  else
    a[127] = tid;
}
