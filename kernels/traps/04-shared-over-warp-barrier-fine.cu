//pass
//--blockDim=64 --gridDim=1

// Without the overwriting the warps use different cells.

__global__ void forgotten(int *out) {
  __shared__ int s[64];
  int tid = threadIdx.x;
  s[tid] = tid;
  __syncwarp();
  __syncwarp();
  if ((tid & 31) == 0)
    out[s[tid]] = tid;
}
