//pass
//--blockDim=64 --gridDim=2

// A small vector class with overloaded operators.

struct Vec3 {
  float x, y, z;
  __device__ Vec3 operator+(const Vec3 &o) const { return {x + o.x, y + o.y, z + o.z}; }
  __device__ Vec3 operator*(float f) const { return {x * f, y * f, z * f}; }
  __device__ Vec3 &operator+=(const Vec3 &o) { return *this = *this + o; }
};

__global__ void advance(Vec3 *position, const Vec3 *velocity, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  position[i] += velocity[i] * dt;
}
