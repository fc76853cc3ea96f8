//pass
//--blockDim=128 --gridDim=8

// Unseen neighbours of this level are put into a queue.

__global__ void frontier(const int *row, const int *edge, const int *level, int *queue,
                         int *end, int n, int now) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < n && level[v] == now) {
    for (int e = row[v]; e < row[v + 1]; e++) {
      int to = edge[e];
      if (level[to] < 0) {
        queue[atomicAdd(end, 1)] = to;
      }
    }
  }
}
