//prove:proved
//

// Each block rotates its elements by one.

//@ ensures \forall int b, t; 0 <= b < gridDim.x && 0 <= t < blockDim.x ==>
//@   out[b * blockDim.x + t] == in[b * blockDim.x + (t == 0 ? blockDim.x - 1 : t - 1)];
__global__ void rotate(int *out, const int *in) {
  extern __shared__ int s[];
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = in[i];
  __syncthreads();
  out[i] = s[t == 0 ? blockDim.x - 1 : t - 1];
}
