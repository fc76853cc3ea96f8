//prove:proved
//

// Tiles with a halo in shared memory, whose edges are loaded under conditions.

#define T 16
//@ requires blockDim.x == T && blockDim.y == T && w == T*gridDim.x && h == T*gridDim.y && (w+2)*(h+2) <= INT_MAX;
//@ ensures \forall int x, y; 0 <= x < w && 0 <= y < h ==>
//@   out[y*w + x] == in[(y+1)*(w+2) + x] + in[(y+1)*(w+2) + x+2] + in[y*(w+2) + x+1] + in[(y+2)*(w+2) + x+1];
__global__ void st(float *out, const float *in, int w, int h) {
  __shared__ float s[T+2][T+2];
  int x = blockIdx.x*T + threadIdx.x, y = blockIdx.y*T + threadIdx.y, tx = threadIdx.x + 1, ty = threadIdx.y + 1, p = w + 2;
  s[ty][tx] = in[(y+1)*p + x+1];
  if (threadIdx.x == 0) { s[ty][0] = in[(y+1)*p + x]; }
  if (threadIdx.x == T-1) { s[ty][T+1] = in[(y+1)*p + x+2]; }
  if (threadIdx.y == 0) { s[0][tx] = in[y*p + x+1]; }
  if (threadIdx.y == T-1) { s[T+1][tx] = in[(y+2)*p + x+1]; }
  __syncthreads();
  out[y*w + x] = s[ty][tx-1] + s[ty][tx+1] + s[ty-1][tx] + s[ty+1][tx];
}
