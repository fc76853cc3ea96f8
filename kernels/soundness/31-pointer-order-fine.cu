//pass
//--blockDim=64 --gridDim=1

// Places in one array are ordered as their indices are.

__global__ void pointer_order(int *a) {
  if (a + 1 < a)
    a[0] = threadIdx.x;
}
