//pass
//--local_size=32 --num_groups=4

// buffers: out:int:128 s:int:32:local t:short:64:local a:int:128:random
//
// Local memory given as arguments of the kernel.

__kernel void local_param(__global int *out, __local int *s, __local short *t,
                          __global const int *a) {
  size_t l = get_local_id(0);
  s[l] = a[get_global_id(0)];
  t[2 * l] = (short)s[l];
  t[2 * l + 1] = (short)l;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = (s[(l + 5) % 32] >> 1) + t[63 - l];
}
