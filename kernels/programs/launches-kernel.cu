//xfail:UNPROVEN
//
//not-modelled
//other<<<1, 32>>>: proved

// A kernel that launches a kernel. What the inner one does is not followed, so the outer one
// is not proved; others of the file have their verdicts.
__global__ void child(int *data, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    data[i] = i;
}

__global__ void parent(int *data, int count) {
  if (threadIdx.x == 0)
    child<<<(count + 31) / 32, 32>>>(data, count);
}

__global__ void other(int *data) { data[threadIdx.x] = 1; }

int main() {
  int *data;
  cudaMalloc(&data, 1024 * sizeof(int));
  parent<<<1, 32>>>(data, 1024);
  other<<<1, 32>>>(data);
}
