//prove:unproven
// --blockDim=[4,4] --gridDim=[1,1]

// A tile of the hundredth step is not loaded, so that of the step before is used again.

#define BS 4
//@ requires 0 <= wA && wA <= 30000 && wB == BS && wA % BS == 0;
//@ ensures \forall int i, j; 0 <= i < BS && 0 <= j < BS ==>
//@   C[BS * i + j] == \sum(int k; 0 <= k < wA; A[wA * i + k] * B[BS * k + j]);
__global__ void matrixMul(float *C, const float *A, const float *B, int wA, int wB) {
  int tx = threadIdx.x, ty = threadIdx.y;
  __shared__ float As[BS][BS], Bs[BS][BS];
  float sum = 0;
  for (int a = 0; a < wA; a += BS) {
    if (a != 4000) { As[ty][tx] = A[wA * ty + a + tx]; }
    Bs[ty][tx] = B[BS * (a + ty) + tx];
    __syncthreads();
    for (int k = 0; k < BS; ++k) { sum += As[ty][k] * Bs[k][tx]; }
    __syncthreads();
  }
  C[BS * ty + tx] = sum;
}
