//pass
//--local_size=64 --num_groups=2

// buffers: rec:int:768 a:int:128:random
//
// An array of structs in global memory, read and written field by field and whole.

typedef struct {
  int key;
  char flags[4];
  float weight;
} Item;

__kernel void struct_global(__global Item *rec, __global const int *a) {
  size_t i = get_global_id(0);
  Item t;
  t.key = a[i];
  t.flags[0] = (char)a[i];
  t.flags[1] = -1;
  t.flags[2] = (char)(a[i] >> 24);
  t.flags[3] = 'z';
  t.weight = (float)(a[i] >> 12);
  rec[2 * i] = t;
  rec[2 * i + 1] = rec[2 * i];
  rec[2 * i + 1].flags[2] = 9;
  rec[2 * i + 1].key = rec[2 * i].flags[1] + rec[2 * i].key / 2;
}
