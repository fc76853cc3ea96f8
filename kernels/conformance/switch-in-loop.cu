//pass
//--blockDim=64 --gridDim=2

// The CUDA version of switch-in-loop.cl: a class with the machine's state.

class Machine {
  int acc;

public:
  __device__ explicit Machine(int start) : acc(start) {}
  __device__ int value() const { return acc; }

  // One turn; false if the machine stops.
  __device__ bool step(unsigned op) {
    switch (op) {
    case 0:
      acc += 3;
      return true;
    case 1:
      acc = acc * 2 & 0xffff;
      break;
    case 2:
      if (acc > 5000)
        return false;
      acc -= 1;
      break;
    default:
      acc ^= 0x2a;
    }
    acc++;
    return true;
  }
};

__global__ void switch_in_loop(int *out, const unsigned *a) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned code = a[i];
  Machine machine(i & 31);
  out[2 * i + 1] = -1;
  for (int turns = 0; turns < 16; turns++, code >>= 2)
    if (!machine.step(code & 3u)) {
      out[2 * i] = machine.value();
      return;
    }
  out[2 * i] = machine.value();
  out[2 * i + 1] = 16;
}
