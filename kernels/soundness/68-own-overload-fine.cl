//pass
//--local_size=64 --num_groups=1

// With OpenCL's own parameters it is OpenCL's function.

kernel void own_overload(global int *a, float x) {
  a[max((int)get_local_id(0), 0)] = sin(x) > 0;
}
