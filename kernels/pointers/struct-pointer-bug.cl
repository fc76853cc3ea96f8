//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
//race

// Each particle also ages its neighbour.

typedef struct {
  float4 position;
  float4 velocity;
  int age;
} Particle;

void advance(__global Particle *p, float dt) {
  p->position += p->velocity * dt;
  p->age++;
  (p + 1)->age++;
}

__kernel void particles(__global Particle *all, float dt) {
  advance(&all[get_global_id(0)], dt);
}
