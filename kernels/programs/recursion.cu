//pass
//

// Each call launches for half as many elements as the one before; the kernel guards its
// accesses by the count that it is passed.
__global__ void clear(int *data, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    data[i] = 0;
}

static void halves(int *data, int count) {
  if (count < 1 || count > 1024)
    return;
  clear<<<4, 256>>>(data, count);
  halves(data, count / 2);
}

int main() {
  int *data;
  cudaMalloc(&data, 1024 * sizeof(int));
  halves(data, 1024);
}
