//pass
//

// A macro computes the grid.
__global__ void clear(int *data) { data[blockIdx.x * blockDim.x + threadIdx.x] = 0; }

#define BLOCKS(n) ((n) / 64)

int main() {
  int *data;
  cudaMalloc(&data, 640 * sizeof(int));
  clear<<<BLOCKS(512 + 128), 64>>>(data);
}
