//pass
//--blockDim=32 --gridDim=2

// A one-dimensional surface reference.

surface<void, 1> output;

__global__ void ramp() {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  surf1Dwrite(i, output, i * sizeof(int));
}
