//xfail:UNPROVEN
//--blockDim=1 --gridDim=2
//race

// Who sees that the other has not come writes. Both may see that, since nothing orders a
// write before a read of another word; runs have one order of all accesses and do not show it.

__global__ void asymmetric(int *want, int *data) {
  __requires(want[0] == 0);
  __requires(want[1] == 0);
  int me = blockIdx.x;
  atomicExch(want + me, 1);
  if (atomicAdd(want + 1 - me, 0) == 0)
    data[0] = me;
}
