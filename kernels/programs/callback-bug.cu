//xfail:UNPROVEN
//
//write-write-race
#include <stdlib.h>

// A function that runs at the end of the program launches for the count of the time, which
// may no longer be the 256 of its first value: threads of different blocks share an element.
// What the variable holds then is not followed, so no run is known to be one of the program.
static int count = 256;
static int *data;

__global__ void mark(int *data) {
  data[threadIdx.x] = blockIdx.x;
}

static void finish() { mark<<<count / 256, 256>>>(data); }

int main(int argc, char **argv) {
  atexit(finish);
  cudaMalloc(&data, 256 * sizeof(int));
  if (argc > 1)
    count = 512;
}
