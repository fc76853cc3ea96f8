//pass
//--blockDim=64 --gridDim=1

// Assembly without a statement hides a number from the optimiser and keeps it.

__global__ void assembly_output(int *a) {
  int place = threadIdx.x;
  asm volatile("" : "+r"(place) : : "memory");
  a[place] = 1;
}
