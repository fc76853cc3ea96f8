//pass
//--local_size=64 --num_groups=2

// buffers: rec:uint:2048 a:uint:128:random
//
// Vector fields and the aligned attribute put holes into a struct.

typedef struct __attribute__((aligned(32))) {
  uchar tag;
  uint4 body;
  ushort tail;
} Wide;

__kernel void struct_aligned(__global Wide *rec, __global const uint *a) {
  size_t i = get_global_id(0);
  rec[i].tag = (uchar)sizeof(Wide);
  rec[i].body = (uint4)(a[i], ~a[i], a[i] >> 4, (uint)i);
  rec[i].tail = (ushort)(rec[i].body.y + rec[i].tag);
}
