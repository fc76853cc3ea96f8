//pass
//--local_size=64 --num_groups=2

// buffers: rec:int:384 a:int:128:random
//
// Pointers to fields and elements, given to functions.

typedef struct {
  int lo;
  int mid[1];
  int hi;
} Triple;

void bump(__global int *p, int by) { *p = (*p >> 1) + by; }

void order(int *x, int *y) {
  if (*x > *y) {
    int t = *x;
    *x = *y;
    *y = t;
  }
}

__kernel void pointer_field(__global Triple *rec, __global const int *a) {
  size_t i = get_global_id(0);
  int v[3] = {a[i], a[(i + 1) % 128], a[(i + 2) % 128]};
  order(&v[0], &v[1]);
  order(v + 1, v + 2);
  order(v, v + 1);
  __global Triple *t = &rec[i];
  t->lo = v[0];
  *t->mid = v[1];
  (*t).hi = v[2];
  bump(&t->mid[0], 5);
  bump(&t->hi, -5);
}
