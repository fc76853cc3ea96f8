//pass
//--local_size=32 --num_groups=4

// buffers: out:int:256 a:int:128:random
//
// An array of structs in local memory.

typedef struct {
  int value;
  short rank;
} Entry;

__kernel void struct_local(__global int2 *out, __global const int *a) {
  __local Entry entry[32];
  int l = get_local_id(0);
  entry[l].value = a[get_global_id(0)];
  entry[l].rank = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  short rank = 0;
  for (int k = 0; k < 32; k++)
    rank += entry[k].value < entry[l].value || (entry[k].value == entry[l].value && k < l);
  entry[l].rank = rank;
  barrier(CLK_LOCAL_MEM_FENCE);
  Entry other = entry[31 - l];
  out[get_global_id(0)] = (int2)(other.value, other.rank);
}
