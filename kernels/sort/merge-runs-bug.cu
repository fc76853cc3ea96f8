//xfail:NOT_ALL_VERIFIED
//--blockDim=16 --gridDim=2
//write-write-race

// The runs of different threads overlap by half.

#define RUN 4

__global__ void merge(const int *in, int *out) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * RUN;
  int i = first, j = first + RUN;
  for (int k = 0; k < 2 * RUN; k++) {
    bool left = j >= first + 2 * RUN || (i < first + RUN && in[i] <= in[j]);
    out[first + k] = left ? in[i++] : in[j++];
  }
}
