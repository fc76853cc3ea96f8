//prove:refuted
//

// Functional correctness, appendix A.2, as printed: the size of the block stands for the number of blocks, and for the block's id.

//@ ghost int m, hA;
//@ requires blockDim.x == bsize && blockDim.y == bsize && 0 <= m && wA == bsize * m;
//@ requires wB == blockDim.x * bsize && hA == blockDim.y * bsize;
//@ requires wA * hA <= INT_MAX && (wA + 1) * wB <= INT_MAX && wB * hA <= INT_MAX;
//@ ensures \forall int i, j; 0 <= i < hA && 0 <= j < wB ==>
//@   C[wB * i + j] == \sum(int k; 0 <= k < wA; A[wA * i + k] * B[wB * k + j]);
__global__ void matrixMul(float *C, const float *A, const float *B, int wA, int wB, int bsize) {
  int bx = blockDim.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  int aBegin = wA * bsize * by, aEnd = aBegin + wA - 1, aStep = bsize;
  int bBegin = bsize * bx, bStep = bsize * wB;
  extern __shared__ float As[];
  float *Bs = As + bsize * bsize;
  float Csub = 0;
  for (int a = aBegin, b = bBegin; a <= aEnd; a += aStep, b += bStep) {
    As[ty * bsize + tx] = A[a + wA * ty + tx];
    Bs[ty * bsize + tx] = B[b + wB * ty + tx];
    __syncthreads();
    for (int k = 0; k < bsize; ++k) { Csub += As[ty * bsize + k] * Bs[k * bsize + tx]; }
    __syncthreads();
  }
  int c = wB * bsize * by + bsize * bx;
  C[c + wB * ty + tx] = Csub;
}
