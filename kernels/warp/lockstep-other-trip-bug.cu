//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1 --warp-sync=32
//race|divergence

// Planted bug: lanes meet at the same barrier in different rounds of the loop, so
// that they are not at the same visit of what follows.
__global__ void rounds(int *out)
{
    __shared__ int s[64];
    unsigned tid = threadIdx.x;
    for (unsigned i = 0; i < 3; i++)
    {
        if (i == (tid & 1))
            continue;
        __syncthreads();
        s[32 * (tid / 32) + (tid & 31 & ~1u) + (i & 1)] = tid;
        __syncthreads();
    }
    out[tid] = s[tid];
}
