//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=2
//race

// Shifts the records in place.

struct Record {
  int key;
  short tag;
  char name[10];
};

__global__ void copy(const Record *from, Record *to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = to[i + 1];
}
