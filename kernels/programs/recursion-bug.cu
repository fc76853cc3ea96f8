//xfail:UNPROVEN
//
//write-write-race

// Each call launches for half as many elements as the one before, with as many threads as
// the first: two threads share an element from the second call on. What calls pass to each
// other is not followed, so no run is known to be one of the program.
__global__ void clear(int *data, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i % count] = i;
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
