//prove:proved
//

// The sum starts anew in each round.

//@ requires 0 <= w && w <= 1000 && \threads == 1;
//@ ensures \forall int c; 0 <= c < w ==> out[c] == \sum(int k; 0 <= k < c + 1; in[k]);
__global__ void prefix(float *out, const float *in, int w) {
  float s = 0;
  for (int c = 0; c < w; c++) {
    s += in[c];
    out[c] = s;
  }
}
