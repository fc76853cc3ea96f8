//pass
//--blockDim=32 --gridDim=2

// An int array seen as int2: two elements per access.

__global__ void swap_pairs(int *a) {
  int2 *pairs = (int2 *)a;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int2 p = pairs[i];
  pairs[i] = make_int2(p.y, p.x);
}
