//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1 --warp-sync=16
//read-write-race

// Planted bug: the kernel relies on 32 lanes in step, and only 16 are assumed.
__global__ void shift(int *out)
{
    __shared__ volatile int s[33];
    unsigned tid = threadIdx.x;
    s[tid] = tid;
    out[tid] = s[31 - tid];
}
