//prove:refuted
//

// A sum of what an array holds in the end is not the sum of what it held at first.

//@ requires gridDim.x == 1;
//@ ensures (int)\sum(int k; 0 <= k < blockDim.x; a[k]) == (int)\old(\sum(int k; 0 <= k < blockDim.x; a[k]));
__global__ void k(int *a) {
  a[threadIdx.x] += 1;
}
