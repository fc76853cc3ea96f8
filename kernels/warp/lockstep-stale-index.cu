//pass
//--blockDim=32 --gridDim=1 --warp-sync=32

// What a lane reads after its neighbour wrote is unknown, and used for nothing but
// a value.
__global__ void stale(int *out)
{
    __shared__ volatile int s[32];
    unsigned tid = threadIdx.x;
    s[tid] = tid;
    s[tid ^ 1] = 0;
    out[tid] = s[tid];
}
