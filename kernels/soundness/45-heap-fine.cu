//pass
//--blockDim=64 --gridDim=1

// Runs have no heap: what is done with memory of it cannot be refuted by one, nor
// proved as long as nobody knows that it is nowhere else.

__global__ void heap(int *a) {
  int *own = (int *)malloc(2 * sizeof(int));
  if (own) {
    own[0] = threadIdx.x;
    a[threadIdx.x] = own[0];
    free(own);
  }
}
