// runs: 5
#include <cstdlib>
#include <cstring>
__global__ void k(int n) {}
struct Base { int n; };
struct Sizes : Base { int m; };
union Both { int i; float f; };
static void change(Base *b, int v) { b->n = v; }
int main(int argc, char **argv) {
  Sizes s;
  s.n = 256;
  s.m = 7;
  Sizes other;
  other.n = atoi(argv[1]);
  other.m = 9;
  memcpy(&s, &other, sizeof s);
  k<<<s.n, s.m>>>(s.m);
  change(&s, 3);
  k<<<s.n, 32>>>(s.n);
  Both u;
  u.i = 4;
  u.f = 1.0f;
  k<<<1, 32>>>(u.i);
}
