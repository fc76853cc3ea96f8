//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//race

// The hit is counted for the next particle.

struct Particle {
  float x, y;
  float vx, vy;
  int hits;
};

__global__ void move(Particle *particles, float dt) {
  Particle &p = particles[blockIdx.x * blockDim.x + threadIdx.x];
  Particle &next = particles[blockIdx.x * blockDim.x + threadIdx.x + 1];
  p.x += p.vx * dt;
  p.y += p.vy * dt;
  p.hits++;
  next.hits++;
}
