//pass
//--blockDim=64 --gridDim=1

// Candidate invariants, r10: a counter keeps its remainder modulo its step.

__global__ void strided_counter(int *out) {
  for (int i = threadIdx.x; i < 256; i += 64)
    out[i] = threadIdx.x;
}
