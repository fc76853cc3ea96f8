//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
//write-write-race

// The largest of four lanes is no number of the thread's own: the last lane is the
// same for all.

typedef int four __attribute__((ext_vector_type(4)));

kernel void reduced_by_maximum(global int *a) {
  int i = get_local_id(0);
  four lanes = (four)(i, 0, 0, 63);
  a[__builtin_reduce_max(lanes)] = i;
}
