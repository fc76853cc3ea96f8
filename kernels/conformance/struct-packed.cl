//pass
//--local_size=64 --num_groups=2

// buffers: rec:uchar:896 sum:int:128 a:int:128:random
//
// A packed struct has no padding, so its fields lie at odd addresses.

typedef struct __attribute__((packed)) {
  uchar kind;
  int value;
  short extra;
} Packed;

__kernel void struct_packed(__global Packed *rec, __global int *sum, __global const int *a) {
  size_t i = get_global_id(0);
  rec[i].kind = (uchar)(i + 1);
  rec[i].value = a[i];
  rec[i].extra = (short)(a[i] >> 5);
  sum[i] = (rec[i].value >> 1) + rec[i].extra + (int)sizeof(Packed);
}
