//pass
//--blockDim=64 --gridDim=1

// Scoped enumerations and compile-time constants.

enum class Op : unsigned char { Add, Sub, Negate };

constexpr int kWidth = 16;
constexpr int cells() { return kWidth * 4; }

__global__ void apply(const int *in, int *out, Op op) {
  int i = threadIdx.x % cells();
  switch (op) {
  case Op::Add:
    out[i] = in[i] + 1;
    break;
  case Op::Sub:
    out[i] = in[i] - 1;
    break;
  case Op::Negate:
    out[i] = -in[i];
    break;
  }
}
