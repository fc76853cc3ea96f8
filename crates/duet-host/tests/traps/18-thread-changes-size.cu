// flags: -pthread
// runs: 3
#include <cstdlib>
#include <pthread.h>
__global__ void k(int n, int m) {}
static int size = 1;
static int go, gone;
static void *run(void *) {
  int n = size;
  __atomic_store_n(&go, 1, __ATOMIC_SEQ_CST);
  while (!__atomic_load_n(&gone, __ATOMIC_SEQ_CST)) {}
  int m = size;
  k<<<1, 32>>>(n, m);
  return nullptr;
}
int main(int argc, char **argv) {
  pthread_t t;
  pthread_create(&t, nullptr, run, nullptr);
  while (!__atomic_load_n(&go, __ATOMIC_SEQ_CST)) {}
  size = atoi(argv[1]);
  __atomic_store_n(&gone, 1, __ATOMIC_SEQ_CST);
  pthread_join(t, nullptr);
}
