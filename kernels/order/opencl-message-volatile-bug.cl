//xfail:NOT_ALL_VERIFIED
//--local_size=1 --num_groups=2
//race

// A volatile variable is no flag in OpenCL.

__kernel void message(__global int *data, volatile __global int *flag, __global int *out) {
  if (get_group_id(0) == 0) {
    data[0] = 42;
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);
    *flag = 1;
  } else {
    while (*flag == 0)
      ;
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
    out[0] = data[0];
  }
}
