//pass
//--blockDim=128 --gridDim=1

// Four threads share a vector; each writes one component.

__global__ void components(int4 *v) {
  int i = threadIdx.x / 4;
  switch (threadIdx.x % 4) {
  case 0:
    v[i].x = i;
    break;
  case 1:
    v[i].y = i + 1;
    break;
  case 2:
    v[i].z = i + 2;
    break;
  case 3:
    v[i].w = i + 3;
    break;
  }
}
