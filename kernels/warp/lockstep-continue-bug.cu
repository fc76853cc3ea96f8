//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1 --warp-sync=32
//race

// Planted bug: a lane that skips the rest of a round is in a later round when it
// writes the cell that another lane reads. Lanes that part in a round of a loop
// need not be in the same round when they meet.
__global__ void rounds(int *out)
{
    __shared__ volatile int s[64];
    unsigned tid = threadIdx.x;
    s[tid] = 0;
    s[tid + 32] = 0;
    unsigned i = 0;
    unsigned sum = 0;
    while (i < 8)
    {
        i++;
        if (((i + tid) & 1) != 0)
            continue;
        s[i] = tid;
        sum += i;
    }
    out[tid] = s[63 - tid] + sum;
}
