//pass
//--blockDim=64 --gridDim=1

// Two threads share an element but write different fields of it.

struct Pair {
  int first;
  int second;
};

__global__ void fields(Pair *pairs) {
  int i = threadIdx.x / 2;
  if (threadIdx.x % 2 == 0)
    pairs[i].first = threadIdx.x;
  else
    pairs[i].second = threadIdx.x;
}
