//prove:proved
// --blockDim=[16,16] --gridDim=[4,4]

// A product of matrices by tiles in shared memory, of any width that tiles divide.

#define BS 16
//@ requires 0 <= wA && wA <= 30000 && wB == BS * gridDim.x && wA % BS == 0;
//@ ensures \forall int i, j; 0 <= i < BS * gridDim.y && 0 <= j < wB ==>
//@   C[wB * i + j] == \sum(int k; 0 <= k < wA; A[wA * i + k] * B[wB * k + j]);
__global__ void matrixMul(float *C, const float *A, const float *B, int wA, int wB) {
  int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  __shared__ float As[BS][BS], Bs[BS][BS];
  float sum = 0;
  for (int a = 0; a < wA; a += BS) {
    As[ty][tx] = A[wA * (BS * by + ty) + a + tx];
    Bs[ty][tx] = B[wB * (a + ty) + BS * bx + tx];
    __syncthreads();
    for (int k = 0; k < BS; ++k) { sum += As[ty][k] * Bs[k][tx]; }
    __syncthreads();
  }
  C[wB * (BS * by + ty) + BS * bx + tx] = sum;
}
