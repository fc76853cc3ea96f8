//prove:proved
//

// The sum that a loop accumulates, stated at the loop.

//@ requires 0 <= w && 0 <= h && h <= \threads && w * h <= INT_MAX;
//@ ensures \forall int i; 0 <= i < h ==> y[i] == \sum(int k; 0 <= k < w; a[i * w + k]);
__global__ void row_sum(float *y, const float *a, int w, int h) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < h) {
    float s = 0;
    //@ loop invariant s == \sum(int j; 0 <= j < loop_count; a[i * w + j]) && k == loop_count;
    for (int k = 0; k < w; k++) { s += a[i * w + k]; }
    y[i] = s;
  }
}
