//prove:refuted
//

// The second tile is read transposed.

//@ ghost int m, hA;
//@ requires blockDim.x == bs && blockDim.y == bs && 0 <= m && wA == bs*m && wB == bs*gridDim.x && hA == bs*gridDim.y;
//@ requires wA*hA <= INT_MAX && (wA+1)*wB <= INT_MAX && wB*hA <= INT_MAX;
//@ ensures \forall int i, j; 0 <= i < hA && 0 <= j < wB ==>
//@   C[wB*i + j] == \sum(int k; 0 <= k < wA; A[wA*i + k] * B[wB*k + j]);
__global__ void matrixMul(float *C, const float *A, const float *B, int wA, int wB, int bs) {
  int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y, aBegin = wA*bs*by;
  extern __shared__ float As[]; float *Bs = As + bs*bs, Csub = 0;
  for (int a = aBegin, b = bs*bx; a <= aBegin + wA - 1; a += bs, b += bs*wB) {
    As[ty*bs+tx] = A[a + wA*ty + tx]; Bs[ty*bs+tx] = B[b + wB*ty + tx]; __syncthreads();
    for (int k = 0; k < bs; ++k) { Csub += As[ty*bs+k] * Bs[tx*bs+k]; }
    __syncthreads();
  }
  C[wB*bs*by + bs*bx + wB*ty + tx] = Csub;
}
