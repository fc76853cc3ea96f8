//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
//race

// Two threads write different bit-fields of one word: each write reads and rewrites the other's bits.

struct Flags {
  unsigned seen : 1;
  unsigned count : 7;
};

__global__ void flags(Flags *f) {
  if (threadIdx.x % 2 == 0)
    f[threadIdx.x / 2].seen = 1;
  else
    f[threadIdx.x / 2].count = threadIdx.x;
}
