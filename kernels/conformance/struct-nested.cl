//pass
//--local_size=64 --num_groups=2

// buffers: out:int:512 a:int:128:random
//
// Structs in structs, copied and changed as values.

typedef struct {
  short x;
  int y;
} Pair;

typedef struct {
  char tag;
  Pair first;
  Pair second;
  long sum;
} Record;

__kernel void struct_nested(__global int *out, __global const int *a) {
  size_t i = get_global_id(0);
  Record r = {(char)a[i], {(short)(a[i] >> 8), a[i] >> 1}, {7, -3}, 0};
  Record s = r;
  s.second = r.first;
  s.first.y ^= 0x55;
  s.sum = (long)s.first.y + s.second.y + r.second.x;
  out[4 * i + 0] = s.tag;
  out[4 * i + 1] = s.first.x;
  out[4 * i + 2] = (int)s.sum;
  out[4 * i + 3] = (int)(s.sum >> 32) + (int)sizeof(Record);
}
