//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1 --warp-sync=32
//read-write-race

// Planted bug: one way of the branch reads what the other writes, and nobody says
// which way is taken first.
__global__ void halves(int *out)
{
    __shared__ volatile int s[32];
    unsigned tid = threadIdx.x;
    s[tid] = tid;
    if (tid < 16)
        s[15 - tid] += 1;
    else
        s[tid] = s[tid - 16];
    out[tid] = s[31 - tid];
}
