//prove:proved
//

// A loop invariant of the user, by which two variables are equal.

//@ requires 0 <= n && n <= \threads && 0 <= m;
//@ ensures \forall int j; 0 <= j < n ==> out[j] == m;
__global__ void count(int *out, int n, int m) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) {
    int c = 0, d = 5;
    //@ loop invariant c == k && d == k + 5 && k == loop_count && k <= m;
    for (int k = 0; k < m; k++) { int old = d; d = c + 6; c = old - 4; }
    out[i] = c;
  }
}
