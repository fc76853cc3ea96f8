//pass
//--blockDim=64 --gridDim=1

// A hint for the cache changes no value.

__global__ void fetched(int *a, const int *p) {
  int x = __ldcg(p), y = __ldcg(p);
  if (x != y)
    a[0] = threadIdx.x;
}
