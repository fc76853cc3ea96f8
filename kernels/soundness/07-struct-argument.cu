//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//write-write-race

// The elements of an array inside an argument are different numbers.

struct Options {
  int mode[2];
};

__global__ void options(int *a, Options o) {
  if (o.mode[0] != o.mode[1])
    a[0] = threadIdx.x;
}
