//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=2
//race

// A sequence lock with plain data: that the number was the same before and after tells the reader
// to throw away what it read, but it has read while another wrote.

__global__ void sequence(unsigned *number, int *data, int *out) {
  __requires(*number == 0);
  if (blockIdx.x == 0) {
    atomicAdd(number, 1u);
    __threadfence();
    data[0] = 1;
    data[1] = 2;
    __threadfence();
    atomicAdd(number, 1u);
  } else {
    unsigned before = atomicAdd(number, 0u);
    __threadfence();
    int x = data[0], y = data[1];
    __threadfence();
    unsigned after = atomicAdd(number, 0u);
    if (before == after && before % 2 == 0)
      out[0] = x + y;
  }
}
