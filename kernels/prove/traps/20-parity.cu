//prove:refuted
//

// Steps go to and fro between two buffers: after an odd number of them the result is in the other one.

//@ requires gridDim.x == 1 && 0 <= steps && steps < 1000;
//@ ensures \forall int j; 0 <= j < blockDim.x ==> a[j] == (int)(\old(a[j]) + steps);
__global__ void k(int *a, int *b, int steps) {
  int t = threadIdx.x;
  for (int s = 0; s < steps; s++) {
    if (s % 2 == 0) b[t] = a[t] + 1; else a[t] = b[t] + 1;
    __syncthreads();
  }
}
