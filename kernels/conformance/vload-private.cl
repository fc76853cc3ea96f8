//pass
//--local_size=32 --num_groups=2

// buffers: out:float:256 a:float:256:random
//
// vload and vstore on private and local arrays.

__kernel void vload_private(__global float *out, __global const float *a) {
  __local float tile[32 * 4];
  size_t i = get_global_id(0);
  size_t l = get_local_id(0);
  float own[8];
  vstore4(vload4(i, a), 0, own);
  vstore4(-vload4(0, own), 1, own);
  vstore4(vload4(0, own + 2), l, tile);
  barrier(CLK_LOCAL_MEM_FENCE);
  vstore4(vload4(31 - l, tile), i, out);
}
