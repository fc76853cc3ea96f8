//xfail:NOT_ALL_VERIFIED
//--blockDim=128 --gridDim=4 --warp-sync=32
//read-write-race

// Planted bug: the barrier before the last warp is missing, and lock step orders
// only threads of one warp.
__global__ void reduce(const int *in, int *out)
{
    __shared__ int s[128];
    unsigned tid = threadIdx.x;
    s[tid] = in[blockIdx.x * 128 + tid];
    __syncthreads();
    if (tid < 64)
        s[tid] += s[tid + 64];
    if (tid < 32)
    {
        volatile int *v = s;
        v[tid] += v[tid + 32];
        v[tid] += v[tid + 16];
        v[tid] += v[tid + 8];
        v[tid] += v[tid + 4];
        v[tid] += v[tid + 2];
        v[tid] += v[tid + 1];
    }
    if (tid == 0)
        out[blockIdx.x] = s[0];
}
