//pass
//--blockDim=64 --gridDim=2

// Each thread moves its own particle.

struct Particle {
  float x, y;
  float vx, vy;
  int hits;
};

__global__ void move(Particle *particles, float dt) {
  Particle &p = particles[blockIdx.x * blockDim.x + threadIdx.x];
  p.x += p.vx * dt;
  p.y += p.vy * dt;
  if (p.x < 0.0f) {
    p.vx = -p.vx;
    p.hits++;
  }
}
