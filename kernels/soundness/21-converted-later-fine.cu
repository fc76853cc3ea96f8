//pass
//--blockDim=* --gridDim=*
//put into a signed variable at line 12

// Here the unsigned sum is put into a signed variable before it is used. Without that
// assumption the verdict is unproven: a counter beyond 2^31 might come round to an element
// of another thread. (No small run breaks the assumption; one that does would be shown
// instead of assumed away, as in 91-generator-converts.)

__global__ void stride(int *a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x)
    a[i] = threadIdx.x;
}
