//pass
//

// A grid-stride loop for any launch. Threads keep to elements of their own only if `i`
// does not wrap, which is assumed of the signed variable it is in.
__global__ void scale(float *a, float factor, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x)
    a[i] *= factor;
}
