//xfail:NOT_ALL_VERIFIED
//--local_size=32 --num_groups=4
//read-write-race

// A fast work-item loads the next tile over the one that others still read.

__kernel void n_body(__global float4 *force, __global const float4 *body, __local float4 *tile,
                     int n) {
  __requires(n == 128);
  int l = get_local_id(0);
  int i = get_global_id(0);
  float4 own = body[i];
  float4 sum = (float4)(0.0f);
  for (int base = 0; base < n; base += 32) {
    tile[l] = body[base + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 32; k++) {
      float4 d = tile[k] - own;
      float distance = d.x * d.x + d.y * d.y + d.z * d.z + 0.01f;
      sum += d * (tile[k].w / (distance * sqrt(distance)));
    }
  }
  force[i] = sum;
}
