//xfail:UNPROVEN
//
//does not show whether that can be

// The host fills in an order, in which each element occurs once: a run that makes up
// another one shows nothing that the program does, and nothing proves that it does not.
__global__ void gather(float *to, const float *from, const int *order) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[order[i]] = from[i];
}

int main() {
  const int n = 512;
  int host[n];
  for (int i = 0; i < n; i++) host[i] = n - 1 - i;
  float *to, *from;
  int *order;
  cudaMalloc(&to, n * sizeof(float));
  cudaMalloc(&from, n * sizeof(float));
  cudaMalloc(&order, n * sizeof(int));
  cudaMemcpy(order, host, n * sizeof(int), cudaMemcpyHostToDevice);
  gather<<<n / 64, 64>>>(to, from, order);
}
