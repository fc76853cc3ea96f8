//pass
//--blockDim=64 --gridDim=2

// The CUDA version of struct-nested.cl: structs copied and changed as values.

struct Pair {
  short x;
  int y;
};

struct Record {
  signed char tag;
  Pair first;
  Pair second;
  long long sum;
};

__global__ void struct_nested(int *out, const int *a) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  Record r = {(signed char)a[i], {(short)(a[i] >> 8), a[i] >> 1}, {7, -3}, 0};
  Record s = r;
  s.second = r.first;
  s.first.y ^= 0x55;
  s.sum = (long long)s.first.y + s.second.y + r.second.x;
  out[4 * i + 0] = s.tag;
  out[4 * i + 1] = s.first.x;
  out[4 * i + 2] = (int)s.sum;
  out[4 * i + 3] = (int)(s.sum >> 32) + (int)sizeof(Record);
}
