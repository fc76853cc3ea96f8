//pass
//--local_size=* --num_groups=*

// A grid-stride loop for any launch; the size of the grid is wider than the counter.
__kernel void scale(__global float *a, float factor, int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    a[i] *= factor;
}
