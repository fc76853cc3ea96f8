//pass
//--blockDim=32 --gridDim=1 --warp-sync=32

// Each way of the branch keeps to its own half until the lanes meet again.
__global__ void halves(int *out)
{
    __shared__ volatile int s[32];
    unsigned tid = threadIdx.x;
    s[tid] = tid;
    if (tid < 16)
        s[15 - tid] += 1;
    else
        s[47 - tid] += 2;
    out[tid] = s[31 - tid];
}
