//! Loops, cut at their heads.
//!
//! In lock step a loop is run as long as one of the threads is in it. A thread that leaves
//! it waits: its parameters keep the values of its last visit of the head. So the state at
//! the head is, for each thread, whether it is still in the loop, its parameters, and the
//! log. It is taken to be arbitrary but for what the candidates say; then
//!
//! * the candidates must hold on entry,
//! * the body is walked once by both threads, with all checks, and must keep the candidates,
//! * for what follows, each thread walks its last iteration again from the parameters that
//!   it has kept: the way by which it leaves and the values that it takes along are those of
//!   that iteration. Nothing is logged or checked on this walk, since the walk of the body
//!   covers every iteration, the last one included.
//!
//! SOUNDNESS: a thread that never leaves the loop, or that failed in it, is not alive
//! behind it, and nothing is known of its parameters there. The other goes on without it,
//! and meets what it logged (test `a_thread_that_is_stuck_keeps_its_log`).

use super::accesses::{change_all, change_array, forget_private};
use super::evaluate::statement_term;
use super::states::{arbitrary_head, head_on_entry, next_head};
use duet_analysis::Loop;
use duet_ir::{Block, InstData, Space, Terminator};
use duet_smt::TermId;

use super::{Arrival, Lockstep, Obligation, What};
use crate::statement::Head;

impl Lockstep<'_> {
    /// Walks a loop, and returns what leads out of it.
    pub(super) fn walk_loop(&mut self, id: Loop, arrivals: &[Arrival]) -> Vec<(Block, Arrival)> {
        let header = self.setting.facts.loops.data(id).header;
        let entered = self.bind(header, arrivals);
        let blocks: Vec<Block> = {
            let loops = &self.setting.facts.loops;
            loops.order().iter().copied().filter(|&block| loops.contains(id, block)).collect()
        };
        if self.threads.len() == 2 {
            self.is_quiet = false;
        }
        if let Some(iterations) = self.setting.iterations {
            return self.walk_first(id, &blocks, &entered, iterations);
        }
        let first = head_on_entry(self, id, &entered);
        if !self.is_ghost {
            self.show_candidates(id, &first, vec![]);
            self.walk_body(id, &blocks, &first);
        }
        self.walk_out(id, &blocks, &first)
    }

    /// One arbitrary iteration, with all checks.
    fn walk_body(&mut self, id: Loop, blocks: &[Block], first: &Head) {
        let known = self.known.clone();
        let gone = self.gone.len();
        let saved: Vec<_> =
            self.threads.iter().map(|one| (one.alive, one.private.clone())).collect();
        let (log, versions) = (self.log.clone(), self.versions.clone());
        let head = arbitrary_head(self, id, first, false);
        self.inside.push(id);
        let visits = self.current_visits.insert(id, head.visits[0]);
        let guards = head.active.clone();
        let ways = self.region(blocks, Some(id), Arrival { guards, args: head.params.clone() });
        let next = next_head(self, &head, &ways.back);
        let runs = self.pool.or(&head.active);
        self.show_candidates(id, &next, vec![runs]);
        self.inside.pop();
        match visits {
            Some(before) => self.current_visits.insert(id, before),
            None => self.current_visits.remove(&id),
        };
        self.known = known;
        self.gone.truncate(gone);
        for (thread, (alive, private)) in self.threads.iter_mut().zip(saved) {
            (thread.alive, thread.private) = (alive, private);
        }
        (self.log, self.versions) = (log, versions);
    }

    /// The last iteration of each thread, again, for the way out.
    fn walk_out(&mut self, id: Loop, blocks: &[Block], first: &Head) -> Vec<(Block, Arrival)> {
        let head = arbitrary_head(self, id, first, true);
        let gone = self.gone.len();
        let before = (self.is_ghost, self.is_aligned);
        self.is_aligned = self.is_aligned && self.leaves_together(id);
        self.is_ghost = true;
        self.inside.push(id);
        let guards = first.entered.clone();
        let ways = self.region(blocks, Some(id), Arrival { guards, args: head.params.clone() });
        self.inside.pop();
        (self.is_ghost, self.is_aligned) = before;
        for one in &mut self.gone[gone..] {
            one.depth = self.inside.len();
        }
        self.change_in(id);
        for thread in 0..self.threads.len() {
            let backs: Vec<TermId> = ways.back.iter().map(|way| way.guards[thread]).collect();
            let goes_on = self.pool.or(&backs);
            let leaves = self.pool.not(goes_on);
            let fact = self.pool.implies(self.threads[thread].alive, leaves);
            self.known.push(fact, None);
        }
        self.sole_way_out(id, ways.out, first)
    }

    /// If there is one way out only, every thread that entered the loop takes it.
    fn sole_way_out(
        &mut self,
        id: Loop,
        mut out: Vec<(Block, Arrival)>,
        first: &Head,
    ) -> Vec<(Block, Arrival)> {
        let facts = self.setting.facts;
        let ends = facts.loops.data(id).blocks.iter().any(|&block| {
            matches!(facts.func.blocks[block].terminator, Terminator::Return(_) | Terminator::Halt)
        });
        if let [(_, way)] = &mut out[..]
            && !ends
        {
            for thread in 0..self.threads.len() {
                let taken = first.entered[thread];
                let when = self.is_here(thread, taken);
                let fact = self.pool.implies(when, way.guards[thread]);
                self.known.push(fact, None);
                way.guards[thread] = taken;
            }
        }
        out
    }

    /// The candidates of the loop must hold in a state.
    pub(super) fn show_candidates(&mut self, id: Loop, head: &Head, goal: Vec<TermId>) {
        let mut claims = vec![];
        for number in 0..self.candidates.len() {
            if self.candidates[number].id != id {
                continue;
            }
            let statement = self.candidates[number].statement.clone();
            claims.push((number, statement_term(self, id, &statement, head)));
        }
        if !claims.is_empty() {
            let what = What::Edge { is_back: !goal.is_empty(), claims };
            self.obligations.push(Obligation {
                known: self.known.clone(),
                goal,
                what,
                logged: None,
            });
        }
    }

    /// Do both threads leave the loop at the same visit, if they entered it?
    pub fn leaves_together(&self, id: Loop) -> bool {
        self.setting.options.uniformity
            && !self.setting.facts.uniformity.may_be_left_apart(id, self.row.scope())
    }

    /// Do both threads get to the end of the loop, or neither: they leave it and all loops
    /// in it together, and nothing in it ends one thread alone?
    pub(super) fn ends_together(&self, id: Loop) -> bool {
        let facts = self.setting.facts;
        let ends_one = |inst: &duet_ir::Inst| {
            let data = &facts.func.insts[*inst];
            let is_believed =
                matches!(data, InstData::Annotation { kind, .. } if kind.is_believed());
            is_believed || self.setting.in_range.contains(inst)
        };
        let is_safe = |&block: &Block| {
            let data = &facts.func.blocks[block];
            !matches!(data.terminator, Terminator::Halt) && !data.insts.iter().any(ends_one)
        };
        let inner = facts.loops.iter().filter(|(_, data)| facts.loops.contains(id, data.header));
        self.threads.len() == 2
            && inner.map(|(inner, _)| inner).all(|inner| self.leaves_together(inner))
            && facts.loops.data(id).blocks.iter().all(is_safe)
    }

    /// Arrays and private memory after some iterations.
    pub(super) fn change_in(&mut self, id: Loop) {
        let facts = self.setting.facts;
        let mut has_barrier = false;
        for &block in &facts.loops.data(id).blocks {
            for &inst in &facts.func.blocks[block].insts {
                has_barrier |= facts.func.insts[inst].barrier_scope().is_some();
            }
        }
        if has_barrier {
            change_all(self);
        }
        for array in facts.uses.may_be_written_in(facts.func, &facts.loops, id) {
            if facts.module.arrays[array].space != Space::Private && !has_barrier {
                change_array(self, array);
            }
        }
    }

    /// The private arrays that a loop writes are unknown at its head.
    pub(super) fn forget_private_in(&mut self, id: Loop) {
        let facts = self.setting.facts;
        for array in facts.uses.may_be_written_in(facts.func, &facts.loops, id) {
            if facts.module.arrays[array].space == Space::Private {
                forget_private(self, array);
            }
        }
    }

    /// Does the loop log something, or order what is logged?
    pub fn changes_log(&self, id: Loop, key: crate::log::Key) -> bool {
        let facts = self.setting.facts;
        let is_inside =
            |inst| facts.block_of(inst).is_some_and(|block| facts.loops.contains(id, block));
        let logs = self.sites.iter().any(|site| site.key == key && is_inside(site.inst));
        // In lock step every access orders what was logged before.
        let steps =
            self.in_lock_step.is_some() && self.sites.iter().any(|site| is_inside(site.inst));
        let is_barrier = |&inst: &duet_ir::Inst| {
            matches!(
                facts.func.insts[inst],
                InstData::Barrier { .. } | InstData::BarrierReduce { .. }
            )
        };
        let blocks = &facts.loops.data(id).blocks;
        logs || steps
            || blocks.iter().any(|&block| facts.func.blocks[block].insts.iter().any(is_barrier))
    }
}
