//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1

// The sum in the contract may wrap: two threads may have the place 4294967295.

__device__ void __spec_prescan(unsigned *idx, const unsigned *flag) {
  unsigned t = threadIdx.x;
  __reads_from(flag);
  __writes_to(idx);
  __syncthreads();
  __ensures(__implies(t < __other_int(t), idx[t] + flag[t] <= __other_int(idx[t])));
}

__global__ void compact(int *out, const int *data, unsigned *flag, unsigned *idx) {
  unsigned t = threadIdx.x;
  flag[t] = data[t] > 0 ? 1 : 0;
  __syncthreads();
  __spec_prescan(idx, flag);
  if (flag[t])
    out[idx[t]] = data[t];
}
