//pass
//--blockDim=16 --gridDim=2

// Each thread merges two neighbouring sorted runs into its own part of the output.

#define RUN 4

__global__ void merge(const int *in, int *out) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * 2 * RUN;
  int i = first, j = first + RUN;
  for (int k = 0; k < 2 * RUN; k++) {
    bool left = j >= first + 2 * RUN || (i < first + RUN && in[i] <= in[j]);
    out[first + k] = left ? in[i++] : in[j++];
  }
}
