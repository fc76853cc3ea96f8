//pass
//--blockDim=32 --gridDim=2

// System-scope and device-scope atomics on one cell do not race.

__global__ void count(unsigned *cell) {
  if (threadIdx.x & 1)
    atomicAdd_system(cell, 1u);
  else
    atomicAdd(cell, 2u);
}
