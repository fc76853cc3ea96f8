//pass
//

// Sizes in a struct of the host.
__global__ void paint(int *image, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  image[y * width + x] = x + y;
}

struct Shape {
  int width, height;
};

static void run(Shape shape) {
  int *image;
  cudaMalloc(&image, shape.width * shape.height * sizeof(int));
  paint<<<dim3(shape.width / 16, shape.height / 16), dim3(16, 16)>>>(image, shape.width);
}

int main() {
  Shape shape = {128, 64};
  run(shape);
}
