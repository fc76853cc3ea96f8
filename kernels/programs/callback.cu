//pass
//
#include <stdlib.h>

// A function that runs at the end of the program launches for the count of the time. The
// kernel guards by the number that the memory was made for.
static const int made = 1000;
static int count = 1000;
static int *data;

__global__ void clear(int *data, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < made && i < count)
    data[i] = 0;
}

static void finish() { clear<<<(count + 255) / 256, 256>>>(data, count); }

int main(int argc, char **argv) {
  atexit(finish);
  cudaMalloc(&data, made * sizeof(int));
  if (argc > 1)
    count = 2000;
}
