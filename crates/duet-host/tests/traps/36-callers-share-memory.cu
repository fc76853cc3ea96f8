// runs: 10 | 200
// A launch in a function with five callers, of which one passes the same memory twice.
#include <cstdlib>

__global__ void k(int *a, int *b, int n) {}

static void go(int *a, int *b, int n) { k<<<n, 64>>>(a, b, n); }

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    int *p, *q;
    cudaMalloc(&p, 4 * 4096);
    cudaMalloc(&q, 4 * 1024);
    go(p, q, n);
    go(q, p, 2 * n);
    go(q, q, 4);
    go(p, q + 8, 5);
    go(p, q, n + 1);
    return 0;
}
