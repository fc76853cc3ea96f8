//prove:refuted
//

// The left edge is left out.

//@ requires 2 <= w && 2 <= h && w*h <= INT_MAX && w <= blockDim.x*gridDim.x && h <= blockDim.y*gridDim.y;
//@ ensures \forall int y, x; 0 < y < h-1 && 0 < x < w-1 ==> b[y*w+x] == 0.25f*(a[y*w+x-1] + a[y*w+x+1] + a[(y-1)*w+x] + a[(y+1)*w+x]);
//@ ensures \forall int y; 0 <= y < h ==> b[y*w] == a[y*w];
__global__ void lap(float *b, const float *a, int w, int h) {
  int x = blockIdx.x*blockDim.x + threadIdx.x, y = blockIdx.y*blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  if (y == 0 || x == w-1 || y == h-1) b[y*w+x] = a[y*w+x];
  else b[y*w+x] = 0.25f*(a[y*w+x-1] + a[y*w+x+1] + a[(y-1)*w+x] + a[(y+1)*w+x]);
}
