//xfail:NOT_ALL_VERIFIED
//--blockDim=128 --gridDim=8
//race

// The end of the queue is moved without an atomic.

__global__ void frontier(const int *row, const int *edge, const int *level, int *queue,
                         int *end, int n, int now) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < n && level[v] == now) {
    for (int e = row[v]; e < row[v + 1]; e++) {
      int to = edge[e];
      if (level[to] < 0) {
        int at = *end;
        *end = at + 1;
        queue[at] = to;
      }
    }
  }
}
