//pass
//--local_size=64 --num_groups=2

// buffers: out:int:640 a:short:128:random
//
// A float to an integer in the four rounding modes; ties included.

__kernel void float_to_int_round(__global int *out, __global const short *a) {
  size_t i = get_global_id(0);
  float x = (float)a[i] * 0.25f;
  out[5 * i + 0] = convert_int(x);
  out[5 * i + 1] = convert_int_rte(x);
  out[5 * i + 2] = convert_int_rtz(x);
  out[5 * i + 3] = convert_int_rtp(x);
  out[5 * i + 4] = convert_int_rtn(x);
}
