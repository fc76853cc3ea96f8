//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
//write-write-race

// The keys are moved to their ranks; equal keys have equal ranks but different owners.

__kernel void rank(__global int *owner, __global const int *key, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  int smaller = 0;
  for (int k = 0; k < n; k++)
    smaller += key[k] < key[i];
  owner[smaller] = i;
}
