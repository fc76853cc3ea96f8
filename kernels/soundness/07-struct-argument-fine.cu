//pass
//--blockDim=64 --gridDim=1

// The same with a place of its own for each thread.

struct Options {
  int mode[2];
};

__global__ void options(int *a, Options o) {
  if (o.mode[0] != o.mode[1])
    a[threadIdx.x] = threadIdx.x;
}
