//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//race

// The flag is set by a plain write.

__global__ void visit(const int *target, int *visited, int *work) {
  int gid = blockIdx.x * blockDim.x + threadIdx.x;
  if (visited[target[gid] & 3] != 1) {
    visited[target[gid] & 3] = gid;
    work[gid] = target[gid];
  }
}
