//pass
//--local_size=64 --num_groups=1

// What `fract` stores is the floor.

kernel void fraction_of_infinity(global int *out, float x) {
  float whole;
  float fraction = fract(x, &whole);
  out[get_local_id(0)] = (int)fraction;
  if (as_uint(whole) != as_uint(floor(x)))
    out[0] = get_local_id(0);
}
