// extra: int width() { return 77; }
// runs: 1
#include <cstdlib>
__global__ void k(int n) {}
__attribute__((weak)) int width() { return 32; }
int main(int argc, char **argv) { k<<<1, 32>>>(width()); }
