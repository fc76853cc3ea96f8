//xfail:UNPROVEN
//
//not-modelled
//number: unproven

// A kernel that the host launches right is launched by a kernel with a block too many: two
// blocks write the same elements. Launches by kernels are not followed, so it is judged for
// any launch as well.
__global__ void number(int *data) { data[threadIdx.x] = blockIdx.x; }

__global__ void again(int *data) {
  if (threadIdx.x == 0)
    number<<<2, 32>>>(data);
}

int main() {
  int *data;
  cudaMalloc(&data, 32 * sizeof(int));
  number<<<1, 32>>>(data);
  again<<<1, 32>>>(data);
}
