//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=2 --warp-sync=32
//write-write-race

// Planted bug: two lanes write one cell with the same instruction.
__global__ void scan(int *data)
{
    __shared__ volatile int s[32];
    unsigned tid = threadIdx.x;
    s[tid] = data[blockIdx.x * 32 + tid];
    for (unsigned d = 1; d < 32; d *= 2)
    {
        int left = tid >= d ? s[tid - d] : 0;
        s[tid / 2] += left;
    }
    data[blockIdx.x * 32 + tid] = s[tid];
}
