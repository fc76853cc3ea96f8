//pass
//--local_size=32 --num_groups=2

// The butterflies of a small transform in local memory, one stage after the other.

__kernel void fft64(__global float2 *data, __local float2 *s, __constant float2 *root) {
  uint l = get_local_id(0);
  __global float2 *part = data + 64 * get_group_id(0);
  s[l] = part[l];
  s[l + 32] = part[l + 32];
  for (uint span = 1; span < 64; span *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    uint in_span = l & (span - 1);
    uint low = 2 * l - in_span;
    float2 w = root[in_span * (32 / span)];
    float2 a = s[low];
    float2 b = s[low + span];
    float2 t = (float2)(w.x * b.x - w.y * b.y, w.x * b.y + w.y * b.x);
    s[low] = a + t;
    s[low + span] = a - t;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  part[l] = s[l];
  part[l + 32] = s[l + 32];
}
