//prove:unproven
//

// At the head of the loop the array does not hold yet what it holds in the end.

//@ requires 0 <= n && n <= \threads;
//@ ensures \forall int j; 0 <= j < n ==> c[j] == 2 && d[j] == 1;
__global__ void k(int *c, int *d, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) {
    //@ loop invariant c[i] == 2;
    for (int m = 0; m < 2; m++) { c[i] = m + 1; }
    d[i] = 1;
  }
}
