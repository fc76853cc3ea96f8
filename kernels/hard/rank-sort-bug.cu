//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
//write-write-race

// Equal keys get the same rank.

__global__ void sort(const int *keys, int *sorted) {
  int t = threadIdx.x;
  int rank = 0;
  for (int i = 0; i < 32; i++)
    if ((keys[i] & 7) < (keys[t] & 7))
      rank++;
  sorted[rank] = t;
}
