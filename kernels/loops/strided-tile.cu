//pass
//--blockDim=[*,*] --gridDim=[*,*]

// A tile of 16 by 16 elements, copied by blocks of 16 by 8 threads or fewer in two
// passes: rows are apart because the second counter ends below 16, for every number of
// blocks that the matrix has room for.

__global__ void flip(int *to, const int *from, int pitch) {
  __requires(blockDim.x <= 16);
  __requires(blockDim.y <= 8);
  __requires(pitch >= 0);
  __requires(pitch >= 16LL * gridDim.y);
  __requires(gridDim.x <= 65535);
  int x = blockIdx.x * 16 + threadIdx.x;
  int y = blockIdx.y * 16 + threadIdx.y;
  for (int i = 0; i < 16; i += 8)
    to[y + pitch * x + i] = from[x] + i;
}
