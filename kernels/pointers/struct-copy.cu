//pass
//--blockDim=32 --gridDim=2

// Whole structures are copied by assignment.

struct Record {
  int key;
  short tag;
  char name[10];
};

__global__ void copy(const Record *from, Record *to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i];
}
