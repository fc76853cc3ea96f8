//xfail:NOT_ALL_VERIFIED
//--blockDim=[*,*] --gridDim=[*,*]
//write-write-race

// As in the twin, but the counter goes on for one more pass, into the next tile.

__global__ void flip(int *to, const int *from, int pitch) {
  __requires(blockDim.x <= 16);
  __requires(blockDim.y <= 8);
  __requires(pitch >= 0);
  __requires(pitch >= 16LL * gridDim.y);
  __requires(gridDim.x <= 65535);
  int x = blockIdx.x * 16 + threadIdx.x;
  int y = blockIdx.y * 16 + threadIdx.y;
  for (int i = 0; i < 24; i += 8)
    to[y + pitch * x + i] = from[x] + i;
}
