// runs: 64 5 | 32 7 | 128 1 | 16 16 | 3 9 | 0 0
#include <cstdlib>
__global__ void k(int n) {}
__global__ void after(int n) {}
__global__ void either(int n) {}
__global__ void shrinking(int n) {}
int main(int argc, char **argv) {
  int n = atoi(argv[1]), m = atoi(argv[2]);
  int threads = n / 2 * 2;
  switch (threads) {
  case 64: k<<<m + 1, threads>>>(threads + m); break;
  // What is tested is not what is launched.
  case 32: threads = m + 1; after<<<1, threads>>>(threads); break;
  // Both numbers come here.
  case 16:
  case 128: either<<<1, threads>>>(threads * 2); break;
  default: either<<<1, threads + 1>>>(threads);
  }
  // The number is that of the last iteration only.
  int rest = n & 7;
  while (rest != 1 && rest != 0) {
    shrinking<<<1, rest>>>(rest);
    rest /= 2;
  }
  if (rest == 1) shrinking<<<rest, 1>>>(n);
}
