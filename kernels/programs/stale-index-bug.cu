//xfail:NOT_ALL_VERIFIED
//
//read-write-race

// Without the barrier a thread may see what the place was before; all of them are inside
// the array all the same.
__global__ void place(int *data, int at) {
  __shared__ int start;
  if (threadIdx.x == 0) start = at;
  data[blockIdx.x * 64 + threadIdx.x] = start;
}

int main() {
  int *data;
  cudaMalloc(&data, 8 * 64 * sizeof(int));
  place<<<8, 64>>>(data, 3);
}
