//pass
//--local_size=64 --num_groups=1

// The rows that are copied and those that are written are never the same, whatever the
// rounds.

__kernel void rounds(__global int *g, __local int *l) {
  uint t = get_local_id(0);
  for (int i = 0; i < 3; i++) {
    event_t e = async_work_group_copy(l + 128 * i, g + 64 * i, 64, 0);
    wait_group_events(1, &e);
    l[128 * i + 64 + t] = t;
  }
}
