//pass
//--local_size=16 --num_groups=1

// Each work-item transposes a block of four by four, loaded as vectors.

__kernel void transpose_blocks(__global float4 *out, __global const float4 *in) {
  size_t i = 4 * get_global_id(0);
  float4 a = in[i];
  float4 b = in[i + 1];
  float4 c = in[i + 2];
  float4 d = in[i + 3];
  out[i] = (float4)(a.x, b.x, c.x, d.x);
  out[i + 1] = (float4)(a.y, b.y, c.y, d.y);
  out[i + 2] = (float4)(a.z, b.z, c.z, d.z);
  out[i + 3] = (float4)(a.w, b.w, c.w, d.w);
}
