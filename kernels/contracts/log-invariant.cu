//pass
//--blockDim=64 --gridDim=2

// Claims about logged accesses at the head of a loop: one that does not depend on the
// loop, one about its counter, and two about shared memory, whose log the barrier ends.

__global__ void steps(int *out) {
  __shared__ int s[64];
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0;
       __invariant(i >= 0),
       __invariant(__write_implies(out, __write_offset_bytes(out) / sizeof(int) % 128 == x)),
       __invariant(__write_implies(out, __write_offset_bytes(out) < i * 128 * sizeof(int))),
       __invariant(__no_write(s)), __invariant(__no_read(s)),
       i < 10; i++) {
    s[threadIdx.x] = i;
    __syncthreads();
    out[i * 128 + x] = s[63 - threadIdx.x];
    __syncthreads();
  }
}
