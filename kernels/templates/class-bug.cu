//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
//read-write-race

// Nobody waits.

class Strip {
public:
  __device__ explicit Strip(int *cells) : cells_(cells) {}
  __device__ void put(int v) { cells_[threadIdx.x] = v; }
  __device__ int get(int i) const { return cells_[i & 31]; }
  __device__ void wait() const { __syncthreads(); }

private:
  int *cells_;
};

__global__ void shift(int *data) {
  __shared__ int cells[32];
  Strip strip(cells);
  strip.put(data[threadIdx.x]);
  data[threadIdx.x] = strip.get(threadIdx.x + 1);
}
