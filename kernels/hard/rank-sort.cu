//pass
//--blockDim=32 --gridDim=1

// Sorting by counting the smaller keys; equal keys are told apart by their place.

__global__ void sort(const int *keys, int *sorted) {
  int t = threadIdx.x;
  int rank = 0;
  for (int i = 0; i < 32; i++)
    if (keys[i] < keys[t] || (keys[i] == keys[t] && i < t))
      rank++;
  sorted[rank] = keys[t];
}
