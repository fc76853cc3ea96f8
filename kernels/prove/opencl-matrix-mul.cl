//prove:proved
//

// A product of matrices by tiles, whose barriers order local memory only.

#define TS 16
//@ ghost int m;
//@ requires get_local_size(0) == TS && get_local_size(1) == TS && 0 <= m && K == TS*m && N == TS*get_num_groups(0) && M == TS*get_num_groups(1);
//@ requires get_global_offset(0) == 0 && get_global_offset(1) == 0 && M*K <= INT_MAX && K*N <= INT_MAX && M*N <= INT_MAX;
//@ ensures \forall int i, j; 0 <= i < M && 0 <= j < N ==> C[i*N + j] == \sum(int k; 0 <= k < K; A[i*K + k] * B[k*N + j]);
__kernel void mm(__global float *C, __global const float *A, __global const float *B, int M, int N, int K) {
  __local float As[TS][TS], Bs[TS][TS];
  int tx = get_local_id(0), ty = get_local_id(1);
  int col = get_group_id(0)*TS + tx, row = get_group_id(1)*TS + ty;
  float s = 0.0f;
  for (int t = 0; t < K; t += TS) {
    As[ty][tx] = A[row*K + t + tx];
    Bs[ty][tx] = B[(t + ty)*N + col];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TS; k++) { s += As[ty][k]*Bs[k][tx]; }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  C[row*N + col] = s;
}
