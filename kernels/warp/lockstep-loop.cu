//pass
//--blockDim=32 --gridDim=2 --warp-sync=32

// A scan within one warp: each step reads before any of it writes.
__global__ void scan(int *data)
{
    __shared__ volatile int s[32];
    unsigned tid = threadIdx.x;
    s[tid] = data[blockIdx.x * 32 + tid];
    for (unsigned d = 1; d < 32; d *= 2)
    {
        int left = tid >= d ? s[tid - d] : 0;
        s[tid] += left;
    }
    data[blockIdx.x * 32 + tid] = s[tid];
}
