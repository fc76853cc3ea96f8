//prove:unproven
//

// A sum that goes on in a second round, which no run takes: only for one argument.

//@ requires 0 <= w && w <= 1000 && \threads == 1;
//@ ensures \forall int c; 0 <= c < w ==> out[c] == \sum(int k; 0 <= k < c + 1; in[k]);
__global__ void prefix(float *out, const float *in, int w, int key) {
  float s = 0;
  int rounds = key == 123456789 ? 2 : 1;
  for (int r = 0; r < rounds; r++) {
    for (int c = 0; c < w; c++) {
      s += in[c];
      out[c] = s;
    }
  }
}
