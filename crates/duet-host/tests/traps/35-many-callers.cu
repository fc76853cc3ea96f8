// runs: 10 | 100 | 200 | 3000 | -5
// A launch in a function with five callers: what one of them tests holds for none of the
// others, and two of them share memory that the others don't.
#include <cstdlib>

__global__ void k(int *a, int *b, int n) {}

static void go(int *a, int *b, int n, int threads) {
    k<<<(n + threads - 1) / threads, threads>>>(a, b, n);
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    int *p, *q;
    cudaMalloc(&p, 4 * 4096);
    cudaMalloc(&q, 4 * 1024);
    if (n > 150) go(p, q, n, 128);
    if (n < 150) go(p, q, 2 * n, 64);
    go(q, p, 4096, 256);
    go(q, p, n + 1, 32);
    for (int i = 1; i < 3; ++i) go(p, q, n + i, 32 * i);
    return 0;
}
