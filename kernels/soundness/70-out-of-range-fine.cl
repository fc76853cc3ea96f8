//pass
//--local_size=64 --num_groups=1

// Equal numbers are converted equally, by the same conversion.

kernel void out_of_range(global int *a, float x, float y) {
  __requires(x == y);
  __assert(convert_int_sat(x) == convert_int_sat(x));
  a[get_local_id(0)] = convert_int_sat(x);
}
