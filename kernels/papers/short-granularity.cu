//pass
//--blockDim=64 --gridDim=1

// Engineering, section 4: an array of short, cleared a word at a time and then written element by element.

__global__ void shorts(short *A) {
  int *words = (int *)A;
  int i = threadIdx.x;
  if (i < 32)
    words[i] = 0;
  __syncthreads();
  A[i] = (short)i;
}
