//pass
//--blockDim=64 --gridDim=1

// A lane knows its own bit of a ballot that it took part in.

__global__ void places(const int *in, int *out) {
  int lane = threadIdx.x & 31;
  int hit = in[threadIdx.x] > 0;
  unsigned hits = __ballot_sync(0xffffffff, hit);
  int seen = hits >> lane & 1;
  out[threadIdx.x + (seen != hit ? 1 : 0)] = __popc(hits);
}
