//xfail:NOT_ALL_VERIFIED
//--blockDim=[4,16] --gridDim=1
//write-write-race

// The result is stored as if a column were one float wide: the vectors overlap.

#define N 16

__global__ void matmul(const float *a, const float4 *b, float4 *c) {
  int col = threadIdx.x;
  int row = threadIdx.y;
  float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int k = 0; k < N; k++) {
    float f = a[row * N + k];
    float4 v = b[k * (N / 4) + col];
    sum.x += f * v.x;
    sum.y += f * v.y;
    sum.z += f * v.z;
    sum.w += f * v.w;
  }
  sum.x += col;
  *(float4 *)((float *)c + row * N + col) = sum;
}
