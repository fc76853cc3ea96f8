//pass
//--local_size=64 --num_groups=2

// buffers: out:int:512 a:int:256:small
//
// Structs as arguments and results of functions.

typedef struct {
  int re;
  int im;
} Complex;

Complex multiply(Complex a, Complex b) {
  Complex r = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  return r;
}

Complex power(Complex a, int n) {
  Complex r = {1, 0};
  for (int k = 0; k < n; k++)
    r = multiply(r, a);
  return r;
}

__kernel void struct_by_value(__global Complex *out, __global const Complex *a) {
  size_t i = get_global_id(0);
  out[2 * i + 0] = power(a[i], 3);
  out[2 * i + 1] = multiply(a[i], power(a[i], (int)(i & 3)));
}
