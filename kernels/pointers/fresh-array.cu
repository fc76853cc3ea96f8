//pass
//--blockDim=64 --gridDim=1

// Two pointer variables, each of which the annotation gives an array of its own.

__global__ void fresh(int n) {
  int *own;
  int *other;
  __requires_fresh_array(own);
  __requires_fresh_array(other);
  own[threadIdx.x] = 1;
  other[threadIdx.x ^ 1] = 2;
}
