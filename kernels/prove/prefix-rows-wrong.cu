//prove:refuted
//

// Each element is stored before it is added.

//@ requires 0 <= h && h <= \threads && 0 <= w && w*h <= INT_MAX;
//@ ensures \forall int r, c; 0 <= r < h && 0 <= c < w ==> out[r*w + c] == \sum(int k; 0 <= k < c + 1; in[r*w + k]);
__global__ void prefix(float *out, const float *in, int w, int h) {
  int r = blockIdx.x*blockDim.x + threadIdx.x;
  if (r < h) { float s = 0; for (int c = 0; c < w; c++) { out[r*w + c] = s; s += in[r*w + c]; } }
}
