//pass
//--blockDim=32 --gridDim=2

// Static polymorphism: the base calls the derived class.

template <typename Derived>
struct Filter {
  __device__ void run(const float *in, float *out, int i) const {
    out[i] = static_cast<const Derived *>(this)->value(in, i);
  }
};

struct Mean : Filter<Mean> {
  __device__ float value(const float *in, int i) const { return 0.5f * (in[i] + in[i + 1]); }
};

__global__ void filter(const float *in, float *out) {
  Mean().run(in, out, blockIdx.x * blockDim.x + threadIdx.x);
}
