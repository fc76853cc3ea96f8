//prove:unproven
//

// The function reads an array: it is another one before and after, for one m that no run tries.

//@ logic int f(int k) = k <= 0 ? a[0] : (int)(f(k - 1) + 1);
//@ ensures f(2) == \old(f(2));
__global__ void k(int *a, int m) {
  if (threadIdx.x == 0 && blockIdx.x == 0 && m == 123456789) { a[0] = 7; }
}
