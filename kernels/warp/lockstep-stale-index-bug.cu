//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1 --warp-sync=32
//write-write-race

// Planted bug: the lane's own cell was overwritten by its neighbour since it wrote
// it, in lock step and without a race; all lanes then write out[0].
__global__ void stale(int *out)
{
    __shared__ volatile int s[32];
    unsigned tid = threadIdx.x;
    s[tid] = tid;
    s[tid ^ 1] = 0;
    out[s[tid]] = tid;
}
