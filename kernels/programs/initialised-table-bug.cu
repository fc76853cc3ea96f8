//xfail:NOT_ALL_VERIFIED
//
//write-write-race

// The blocks are twice as large as the table's steps.
__constant__ const int first[4] = {0, 64, 128, 192};

__global__ void number(int *out) { out[first[blockIdx.x] + threadIdx.x] = blockIdx.x; }

int main() {
  int *out;
  cudaMalloc(&out, 512 * sizeof(int));
  number<<<4, 128>>>(out);
}
