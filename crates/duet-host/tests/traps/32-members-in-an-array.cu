// runs: 3 | 1
// Two members of each element, of which one is changed once more under another type.
#include <cstdlib>
#include <cstring>
struct Plan {
  float *in;
  long size;
  float *out;
};
__global__ void k(float *a, float *b, int n) {}
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  Plan plan[3];
  for (int i = 0; i < 3; i++) {
    cudaMalloc(&plan[i].in, 400);
    plan[i].size = i;
    cudaMalloc(&plan[i].out, 800);
  }
  float *other;
  cudaMalloc(&other, 1600);
  float **last = &plan[n > 2 ? 2 : 0].out;
  *last = other;
  for (int i = 0; i < 3; i++)
    k<<<n, 32>>>(plan[i].in, plan[i].out, n);
}
