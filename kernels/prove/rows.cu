//prove:proved
//

// Each thread copies whole rows, in a grid-stride loop.

//@ requires 0 <= w && 0 <= h && (h + \threads) * (w + 1) <= INT_MAX;
//@ ensures \forall int i, j; 0 <= i < h && 0 <= j < w ==> c[i*w+j] == a[i*w+j];
__global__ void rows(int *c, const int *a, int w, int h) {
  for (int r = blockDim.x * blockIdx.x + threadIdx.x; r < h; r += blockDim.x * gridDim.x) {
    for (int k = 0; k < w; k++) { c[r*w+k] = a[r*w+k]; }
  }
}
