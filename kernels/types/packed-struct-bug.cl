//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
//write-write-race

// The value is widened to eight bytes and reaches into the next record.

typedef struct __attribute__((packed)) {
  uchar kind;
  int value;
  short extra;
} Record;

__kernel void records(__global Record *out) {
  size_t i = get_global_id(0);
  out[i].kind = 1;
  *(__global long *)&out[i].value = i;
}
