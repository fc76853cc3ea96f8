//pass
//--local_size=64 --num_groups=2

// buffers: out:int:128 weight:short:9:random a:int:128:iota
// scalars: taps=9:uint shift=4:uchar
//
// Constant memory as an argument, and scalar arguments of two widths.

__kernel void constant_param(__global int *out, __constant short *weight,
                             __global const int *a, uint taps, uchar shift) {
  size_t i = get_global_id(0);
  int sum = 0;
  for (uint k = 0; k < taps; k++)
    sum += weight[k] * a[(i + k) % 128];
  out[i] = sum >> shift;
}
