//pass
//--local_size=64 --num_groups=2

// Records of seven bytes, each written by one work-item.

typedef struct __attribute__((packed)) {
  uchar kind;
  int value;
  short extra;
} Record;

__kernel void records(__global Record *out) {
  size_t i = get_global_id(0);
  out[i].kind = 1;
  out[i].value = i;
  out[i].extra = -i;
}
