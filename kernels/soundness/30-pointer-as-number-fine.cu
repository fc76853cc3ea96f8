//pass
//--blockDim=64 --gridDim=1

// What is stored beside a pointer, at places of its own, is no pointer.

struct Table {
  int *at;
  int counts[4];
};

__global__ void pointer_beside_number(int *out, Table table, int n) {
  table.counts[2] = n;
  out[threadIdx.x] = table.at[threadIdx.x + 1] + table.counts[n & 3];
}
