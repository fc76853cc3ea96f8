//prove:unproven
//

// Which thread gets which number is nobody's to say; the order of a run happens to be that of the contract.

//@ requires gridDim.x == 1;
//@ ensures \forall int j; 0 <= j < blockDim.x ==> d[j] == j + \old(c[0]);
__global__ void k(int *d, int *c) {
  d[threadIdx.x] = atomicAdd(c, 1);
}
