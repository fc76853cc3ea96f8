//xfail:NOT_ALL_VERIFIED
//
//race

// No sizes are given: the launch may have many threads, although no id is read.

__global__ void increment(int *c) {
  (*c)++;
}
