//pass
//--local_size=64 --num_groups=1

// `dot` of the same vectors is the same number, wherever it stands.

kernel void dot_is_no_formula(global int *out, float4 x, float4 y) {
  uint first = as_uint(dot(x, y));
  float4 z = y;
  if (first != as_uint(dot(x, z)))
    out[0] = get_local_id(0);
}
