//pass
//--gridDim=1

// Stream compaction with Blelloch's prefix sum in the kernel itself, for every power of two at
// once: no contract, and no assumption that sums do not wrap. That they do not follows from
// flags being 0 or 1.

#define LOW(x) ((x) & (0u - (x)))

__global__ void compact(int *out, const int *data) {
  __shared__ unsigned flag[2048];
  __shared__ unsigned idx[2048];
  __requires(__is_pow2(blockDim.x));
  unsigned t = threadIdx.x;
  const unsigned n = 2 * blockDim.x;
  unsigned off = 1;
  flag[2 * t] = data[2 * t] > 0 ? 1 : 0;
  flag[2 * t + 1] = data[2 * t + 1] > 0 ? 1 : 0;
  __cell_invariant(flag, k, k >= n | flag[k] <= 1);
  __syncthreads();
  idx[2 * t] = flag[2 * t];
  idx[2 * t + 1] = flag[2 * t + 1];
  for (unsigned d = n >> 1; d > 0; d >>= 1) {
    __cell_invariant(idx, k,
        k >= n | idx[k] == __sum_add(flag, k + 1 - __ite(LOW(k + 1) < off, LOW(k + 1), off), k + 1));
    __syncthreads();
    if (t < d) {
      unsigned ai = off * (2 * t + 1) - 1;
      unsigned bi = off * (2 * t + 2) - 1;
      idx[bi] += idx[ai];
    }
    off *= 2;
  }
  if (t == 0)
    idx[n - 1] = 0;
  for (unsigned d = 1; d < n; d *= 2) {
    off >>= 1;
    __cell_invariant(idx, k,
        k >= n | idx[k] == __ite(((k + 1) & (2 * off - 1)) != 0,
                                 __sum_add(flag, k + 1 - LOW(k + 1), k + 1),
                                 __sum_add(flag, 0, k + 1 - 2 * off)));
    __syncthreads();
    if (t < d) {
      unsigned ai = off * (2 * t + 1) - 1;
      unsigned bi = off * (2 * t + 2) - 1;
      unsigned v = idx[ai];
      idx[ai] = idx[bi];
      idx[bi] += v;
    }
  }
  __cell_invariant(idx, k, k >= n | idx[k] == __sum_add(flag, 0, k));
  __syncthreads();
  if (flag[2 * t])
    out[idx[2 * t]] = data[2 * t];
  if (flag[2 * t + 1])
    out[idx[2 * t + 1]] = data[2 * t + 1];
}
