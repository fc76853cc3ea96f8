//pass
//--local_size=32 --num_groups=2

// buffers: packed:half:128 aligned:half:256 a:float:256:small
//
// Vectors of halves, packed and aligned.

__kernel void half_vector(__global half *packed, __global half *aligned,
                          __global const float4 *a) {
  size_t i = get_global_id(0);
  float4 x = a[i] * 0.125f + (float)i;
  vstore_half2(x.yw, i, packed);
  vstorea_half3(x.xyz - x.w, i, aligned);
}
