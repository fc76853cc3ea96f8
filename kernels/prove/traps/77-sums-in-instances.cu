//prove:unproven
//

// The sum of a precondition is another one for each element. No run has the contents.

//@ requires 0 <= n && n <= \threads && n <= 100000 && \forall int j; 0 <= j < n ==> p[j] == \sum(int k; 0 <= k < j; a[k] == 12345 ? 1 : 0);
//@ ensures \forall int j; 0 <= j < n ==> c[j] == p[0];
__global__ void k(int *__restrict__ c, int *__restrict__ d, const int *__restrict__ p, const int *__restrict__ a, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) { c[i] = p[i]; d[i] = a[i]; }
}
