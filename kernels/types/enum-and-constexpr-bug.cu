//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//write-write-race

// The width is used where the number of cells is meant.

enum class Op : unsigned char { Add, Sub, Negate };

constexpr int kWidth = 16;
constexpr int cells() { return kWidth * 4; }

__global__ void apply(const int *in, int *out, Op op) {
  __requires(op == Op::Add);
  int i = threadIdx.x % kWidth;
  switch (op) {
  case Op::Add:
    out[i] = threadIdx.x;
    break;
  case Op::Sub:
    out[i] = in[i] - 1;
    break;
  case Op::Negate:
    out[i] = -in[i];
    break;
  }
}
