//pass
//--blockDim=32 --gridDim=1

// A class wraps a strip of shared memory.

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
  strip.wait();
  data[threadIdx.x] = strip.get(threadIdx.x + 1);
}
