//! The first iterations of loops, one after the other: for the engine LU, which refutes.
//!
//! A loop is not cut: its body is walked as often as wanted, then once more for the threads
//! that leave it, and who goes on is left out. What must hold at a visit of a head is stated
//! there. Nothing is proved by such a walk. (*candidate-invariants*, 5.1.2)

use duet_analysis::Loop;
use duet_ir::Block;
use duet_smt::TermId;

use super::states::{head_on_entry, next_head};
use super::{Arrival, Lockstep};

impl Lockstep<'_> {
    /// Walks the first iterations of a loop, and returns what leads out of them.
    pub(super) fn walk_first(
        &mut self,
        id: Loop,
        blocks: &[Block],
        entered: &[TermId],
        iterations: u32,
    ) -> Vec<(Block, Arrival)> {
        let first = head_on_entry(self, id, entered);
        self.show_candidates(id, &first, vec![]);
        let visits = self.current_visits.get(&id).copied();
        self.inside.push(id);
        let (mut head, mut out) = (first, vec![]);
        for iteration in 0..=iterations {
            self.current_visits.insert(id, head.visits[0]);
            let before: Vec<_> = self.threads.iter().map(|one| one.values.clone()).collect();
            let guards = head.active.clone();
            let arrival = Arrival { guards: guards.clone(), args: head.params.clone() };
            let ways = self.region(blocks, Some(id), arrival);
            for (thread, before) in before.into_iter().enumerate() {
                self.keep_values(thread, guards[thread], &before);
            }
            out.extend(ways.out);
            let next = next_head(self, &head, &ways.back);
            let goes_on = self.pool.or(&next.active);
            if iteration < iterations {
                self.show_candidates(id, &next, vec![goes_on]);
            } else {
                let stops = self.pool.not(goes_on);
                self.known.push(stops, None);
            }
            head = next;
        }
        self.inside.pop();
        match visits {
            Some(before) => self.current_visits.insert(id, before),
            None => self.current_visits.remove(&id),
        };
        out
    }

    /// A thread that takes no part in an iteration keeps the values that it had.
    fn keep_values(
        &mut self,
        thread: usize,
        takes_part: TermId,
        before: &std::collections::HashMap<duet_ir::Value, TermId>,
    ) {
        for (&value, &old) in before {
            let now = self.threads[thread].values.get(&value).copied();
            if let Some(now) = now.filter(|now| *now != old) {
                let kept = self.pool.ite(takes_part, now, old);
                self.threads[thread].values.insert(value, kept);
            }
        }
    }
}
