//pass
//--local_size=64 --num_groups=2

// buffers: best:int:4 claimed:int:16 a:int:128:random
//
// A maximum by compare and exchange, and slots that exactly one work-item claims.

__kernel void atomic_compare_exchange(__global int *best, __global int *claimed,
                                      __global const int *a) {
  size_t i = get_global_id(0);
  int x = a[i];
  volatile __global int *p = &best[i & 3];
  int old = atomic_add(p, 0);
  while (x > old) {
    int seen = atomic_cmpxchg(p, old, x);
    if (seen == old)
      break;
    old = seen;
  }
  if (atomic_cmpxchg(&claimed[i & 15], 0, 1) == 0)
    atomic_add(&claimed[i & 15], 41);
}
