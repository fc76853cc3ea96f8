//pass
//--blockDim=32 --gridDim=2

// A structure of structures, reached through references and methods.

struct View {
  int *cells;
  int stride;
  __device__ int &at(int row, int col) const { return cells[row * stride + col]; }
};

struct Frame {
  View left, right;
};

__global__ void swap_columns(Frame f, int rows) {
  __requires(f.left.stride == 4);
  __requires(f.right.stride == 4);
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  for (int col = 0; col < 4; col++) {
    int &l = f.left.at(row, col);
    int &r = f.right.at(row, col);
    int t = l;
    l = r;
    r = t;
  }
}
