//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//race

// Every thread writes the same cell and reads it back. The invariant follows from
// what the thread itself wrote, and is as true as the kernel is free of races; a run
// in which another thread comes in between must not take it away.

#include <cuda.h>

__global__ void k(int *out, int limit) {
    __shared__ int cell;
    cell = threadIdx.x;
    int mine = cell;
    for (int i = 0; __invariant(mine == (int)threadIdx.x), i < 4; i++) {
        if (limit == -77) {
            out[64 + threadIdx.x] = limit;
        }
        out[threadIdx.x] = mine + i;
    }
}
