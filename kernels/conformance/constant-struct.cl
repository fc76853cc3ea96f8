//pass
//--local_size=64 --num_groups=2

// buffers: out:int:128 a:uchar:128:random
//
// A table of structs, and a matrix, in constant memory.

typedef struct {
  short dx;
  short dy;
  uint cost;
} Move;

__constant Move moves[4] = {{1, 0, 10}, {0, -1, 25}, {-1, 0, 3}, {0, 1, 7}};
__constant int kernel3[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};

__kernel void constant_struct(__global int *out, __global const uchar *a) {
  size_t i = get_global_id(0);
  int x = 0;
  int y = 0;
  uint cost = 0;
  for (int k = 0; k < 8; k += 2) {
    __constant Move *m = &moves[a[i] >> k & 3];
    x += m->dx;
    y += m->dy;
    cost += m->cost;
  }
  out[i] = x * 1000 + y * 100 + (int)cost * kernel3[(x + 6) % 3][(y + 6) % 3];
}
