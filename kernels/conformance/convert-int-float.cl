//pass
//--local_size=64 --num_groups=2

// buffers: out:float:512 a:int:128:random b:ulong:128:random
//
// Integers to float, rounded to nearest even.

__kernel void int_to_float(__global float *out, __global const int *a,
                                __global const ulong *b) {
  size_t i = get_global_id(0);
  out[4 * i + 0] = (float)a[i];
  out[4 * i + 1] = convert_float((uint)a[i]);
  out[4 * i + 2] = (float)b[i];
  out[4 * i + 3] = (float)(long)b[i] + (float)(char)a[i];
}
