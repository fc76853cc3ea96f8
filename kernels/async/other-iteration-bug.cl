//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
//race

// A thread that is rounds behind writes what the copy that a faster one asked for writes
// as well: in no round the two meet, and there is no barrier between the rounds.

__kernel void rounds(__global int *g, __local int *l) {
  uint t = get_local_id(0);
  for (int i = 0; i < 3; i++) {
    event_t e = async_work_group_copy(l + 64 * i, g + 64 * i, 64, 0);
    wait_group_events(1, &e);
    l[64 * (i + 1) + t] = t;
  }
}
