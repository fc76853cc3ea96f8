//pass
//--blockDim=16 --gridDim=1

// The bounds of the inner loops depend on the outer ones.

__global__ void triangle(int *a) {
  int t = threadIdx.x;
  for (int i = 0; i < 4; i++)
    for (int j = i; j < 4; j++)
      for (int k = 0; k <= j - i; k++)
        a[((t * 4 + i) * 4 + j) * 4 + k] = t;
}
