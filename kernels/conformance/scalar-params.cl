//pass
//--local_size=32 --num_groups=1

// buffers: out:long:288
// scalars: a=-5:char b=250:uchar c=-30000:short d=60000:ushort e=-2000000000:int f=4000000000:uint g=-9000000000000000000:long h=1.5:float
//
// One scalar argument of each type.

__kernel void scalar_params(__global long *out, char a, uchar b, short c, ushort d, int e,
                            uint f, long g, float h) {
  long i = get_global_id(0);
  __global long *o = out + 9 * i;
  o[0] = a + i;
  o[1] = b + i;
  o[2] = c + i;
  o[3] = d + i;
  o[4] = e + i;
  o[5] = f + i;
  o[6] = g + i;
  o[7] = (long)(h * 4.0f) + i;
  o[8] = (long)a * b + (long)c * d + ((long)e ^ (long)f);
}
