//pass
//--local_size=64 --num_groups=2

// buffers: out:float:128 four:float:512 a:half:640:random
//
// Half precision numbers are only stored: vload_half widens them exactly.

__kernel void half_load(__global float *out, __global float4 *four, __global const half *a) {
  size_t i = get_global_id(0);
  out[i] = vload_half(i, a);
  four[i] = vload_half4(i, a + 128) + vload_half(5 * i, a);
}
