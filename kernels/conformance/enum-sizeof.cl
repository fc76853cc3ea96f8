//pass
//--local_size=16 --num_groups=2

// buffers: out:uint:512
//
// Sizes of types and values of enumerators.

enum Colour { RED = 3, GREEN, BLUE = GREEN * 5, BLACK = -1 };

struct Mixed {
  char c;
  long3 *p;
  short s;
};

__kernel void enum_sizeof(__global uint *out) {
  size_t i = get_global_id(0);
  __global uint *o = out + 16 * i;
  enum Colour c = i & 1 ? BLUE : BLACK;
  o[0] = sizeof(char);
  o[1] = sizeof(ushort);
  o[2] = sizeof(int);
  o[3] = sizeof(long);
  o[4] = sizeof(float3);
  o[5] = sizeof(char16);
  o[6] = sizeof(struct Mixed);
  o[7] = sizeof(out[0] + 1L);
  o[8] = sizeof(size_t);
  o[9] = (uint)c;
  o[10] = GREEN;
  o[11] = 'A' + '\n';
  o[12] = 0x7fffffff + 1u;
  o[13] = 010 + 0x10;
  o[14] = (uint)(1UL << 40 >> 35);
  o[15] = (uint)i;
}
