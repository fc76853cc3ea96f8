//pass
//--blockDim=[4,4] --gridDim=[2,2]

// Functional correctness, appendix A.2: tiles in shared memory, begin, end and step of the walk precomputed.

#define BSIZE 4

__global__ void matrix_mul(float *C, const float *A, const float *B, int wA, int wB) {
  __requires(wA == 12);
  __requires(wB == 8);
  __shared__ float As[BSIZE][BSIZE];
  __shared__ float Bs[BSIZE][BSIZE];
  int bx = blockIdx.x, by = blockIdx.y;
  int tx = threadIdx.x, ty = threadIdx.y;
  int aBegin = wA * BSIZE * by;
  int aEnd = aBegin + wA - 1;
  int bBegin = BSIZE * bx;
  int bStep = BSIZE * wB;

  float Csub = 0;
  for (int a = aBegin, b = bBegin; a <= aEnd; a += BSIZE, b += bStep) {
    As[ty][tx] = A[a + wA * ty + tx];
    Bs[ty][tx] = B[b + wB * ty + tx];
    __syncthreads();
    for (int k = 0; k < BSIZE; ++k)
      Csub += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  C[wB * BSIZE * by + BSIZE * bx + wB * ty + tx] = Csub;
}
