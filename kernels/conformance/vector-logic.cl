//pass
//--local_size=64 --num_groups=2

// buffers: out:short:1024 a:short:512:small b:short:512:small
//
// The logical operators on vectors: no short circuit, minus one for true.

__kernel void vector_logic(__global short4 *out, __global const short4 *a,
                           __global const short4 *b) {
  size_t i = get_global_id(0);
  short4 x = a[i];
  short4 y = b[i];
  out[2 * i + 0] = (x && y) | !(x || y);
  out[2 * i + 1] = ~x + -y * (short)3;
}
