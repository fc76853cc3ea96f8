//pass
//--blockDim=32 --gridDim=1 --warp-sync=32

// Lanes leave the loop at different times and wait for the others behind it.
__global__ void rounds(int *out)
{
    __shared__ volatile int s[64];
    unsigned tid = threadIdx.x;
    s[tid] = 0;
    s[tid + 32] = 0;
    unsigned i = 0;
    while (i < tid)
    {
        s[tid + i] = tid;
        i++;
    }
    out[tid] = s[63 - tid];
}
