//pass
//--blockDim=32 --gridDim=4

// Grid-stride loop over an array longer than the grid.

__global__ void scale(float *a, float factor, int n) {
  __requires(n == 1000);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x)
    a[i] *= factor;
}
