//pass
//--local_size=64 --num_groups=1

// The largest of four lanes is the thread's number, the smallest is 0.

typedef int four __attribute__((ext_vector_type(4)));

kernel void reduced_by_maximum(global int *a) {
  int i = get_local_id(0);
  four lanes = (four)(0, i, 0, 0);
  a[__builtin_reduce_max(lanes)] = i + __builtin_reduce_min(lanes);
}
