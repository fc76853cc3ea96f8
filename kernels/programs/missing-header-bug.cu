//xfail:NOT_ALL_VERIFIED
//
//read-write-race

// The function that is not known may change the size.
#include <mpi.h>

__global__ void halve(float *data, int half) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] += data[i + half];
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Status status;
  int half = 1 << 16, rank = 0;
  float *data;
  cudaMalloc(&data, 2 * half * sizeof(float));
  MPI_Recv(&half, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);
  if (status.MPI_ERROR != 0) return 1;
  halve<<<512, 128>>>(data, half);
  MPI_Finalize();
}
