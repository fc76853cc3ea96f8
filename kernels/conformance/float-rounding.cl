//pass
//--local_size=64 --num_groups=2

// buffers: out:float:768 a:short:128:random
//
// floor() and its kin, on multiples of a quarter; negative zero included.

__kernel void float_rounding(__global float *out, __global const short *a) {
  size_t i = get_global_id(0);
  float x = (float)a[i] * 0.25f;
  if (i == 9)
    x = -0.25f;
  out[6 * i + 0] = floor(x);
  out[6 * i + 1] = ceil(x);
  out[6 * i + 2] = trunc(x);
  out[6 * i + 3] = rint(x);
  out[6 * i + 4] = round(x);
  out[6 * i + 5] = fabs(x);
}
