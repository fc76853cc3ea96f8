//pass
//

// The host never changes the table, so it says where each block begins.
__constant__ int first[4] = {0, 64, 128, 192};

__global__ void number(int *out) { out[first[blockIdx.x] + threadIdx.x] = blockIdx.x; }

int main() {
  int *out;
  cudaMalloc(&out, 256 * sizeof(int));
  number<<<4, 64>>>(out);
}
