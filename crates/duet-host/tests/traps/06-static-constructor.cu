// runs: 7
#include <cstdlib>
__global__ void k(int n) {}
static int size;
static void launch() { k<<<1, size + 1>>>(size); }
struct Early { Early() { launch(); } };
static Early early;
static void init(int n) { size = n; }
int main(int argc, char **argv) {
  init(atoi(argv[1]));
  launch();
}
