//xfail:UNPROVEN
//--local_size=64 --num_groups=1

// Out of range the conversion yields what the device likes, and only the other one is
// at the limit. So a run in which it matters shows nothing.

kernel void out_of_range(global int *a, float x) {
  __assert(convert_int(x) == convert_int_sat(x));
  a[get_local_id(0)] = convert_int(x);
}
