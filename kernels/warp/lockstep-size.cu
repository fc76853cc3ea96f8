//pass
//--blockDim=32 --gridDim=1 --warp-sync=32

// The kernel relies on 32 lanes in step.
__global__ void shift(int *out)
{
    __shared__ volatile int s[33];
    unsigned tid = threadIdx.x;
    s[tid] = tid;
    out[tid] = s[31 - tid];
}
