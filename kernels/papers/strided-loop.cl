//pass
//--local_size=64 --num_groups=4

// The loop counter keeps its remainder: the fact that an access pattern with a stride rests on.

__kernel void strided(__global uint *data, uint n) {
  __requires(n <= 100000u);
  uint stride = get_global_size(0);
  for (uint i = get_global_id(0);
       __invariant(i % stride == get_global_id(0)), i < n; i += stride)
    data[i] = i;
}
