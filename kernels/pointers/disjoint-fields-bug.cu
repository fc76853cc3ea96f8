//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
//write-write-race

// One of the two writes the whole element.

struct Pair {
  int first;
  int second;
};

__global__ void fields(Pair *pairs) {
  int i = threadIdx.x / 2;
  if (threadIdx.x % 2 == 0)
    pairs[i] = Pair{(int)threadIdx.x, -1};
  else
    pairs[i].second = threadIdx.x;
}
