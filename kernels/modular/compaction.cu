//pass
//--blockDim=64 --gridDim=1

// Stream compaction with a prefix sum that is known by its contract: of two threads that keep
// their element the later one has the larger place.

__device__ void __spec_prescan(unsigned *idx, const unsigned *flag) {
  unsigned t = threadIdx.x;
  __reads_from(flag);
  __writes_to(idx);
  __syncthreads();
  __ensures(__add_noovfl(idx[t], flag[t]));
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
