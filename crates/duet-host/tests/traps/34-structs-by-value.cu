// runs: 3 9 | 70000 5
// Structs in one word, in two, and by reference, with gaps between members.
#include <cstdlib>
struct Pair {
  int w, h;
};
struct Mixed {
  char a;
  short b;
  int c;
  float d;
};
struct Large {
  long a;
  int b;
  char c;
  double d[2];
};
__global__ void k(Pair p, Mixed m, Large l, int last) {}
int main(int argc, char **argv) {
  int n = atoi(argv[1]), m = atoi(argv[2]);
  Pair pair = {n, m};
  if (n > 5) pair.h = n;
  Mixed mixed = {(char)n, (short)m, n * m, 1.5f};
  Large large = {n, m, (char)m, {1.0, 2.0}};
  Large copy = large;
  copy.b = pair.w + 1;
  k<<<pair.h, 32>>>(pair, mixed, copy, n);
}
