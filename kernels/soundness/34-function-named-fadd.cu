//xfail:UNPROVEN
//--blockDim=64 --gridDim=1
//write-write-race

// A function that has the name which Duet gives to the addition of floats.
// What a function without a body yields, no run can show.

extern "C" __device__ __attribute__((const)) float fadd(float, float);

__global__ void named_fadd(int *a, float x, float y) {
  if (__float_as_int(fadd(x, y)) != __float_as_int(x + y))
    a[0] = threadIdx.x;
}
