//xfail:UNPROVEN
//--local_size=64 --num_groups=1

// How `dot` rounds is the implementation's choice: it may fuse products and sums.
// A run computes one of its results, which shows nothing of a device.

kernel void dot_is_no_formula(global int *out, float4 x, float4 y) {
  float sum = x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
  if (dot(x, y) != sum)
    out[0] = get_local_id(0);
}
