//! States at the heads of loops: on entry, at an arbitrary visit, at the next one.

use std::collections::BTreeMap;

use duet_analysis::Loop;
use duet_ir::Value;
use duet_smt::{Sort, TermId};
use duet_vc::ops;

use super::{Arrival, Lockstep, Row};
use crate::log::Log;
use crate::statement::{Head, Statement};

/// Width of the count of iterations.
const COUNT: u32 = 64;

impl Lockstep<'_> {
    /// The state when the loop is entered; the parameters are bound.
    pub(super) fn head_on_entry(&mut self, id: Loop, entered: &[TermId]) -> Head {
        let header = self.setting.facts.loops.data(id).header;
        let params = self.setting.facts.func.blocks[header].params.clone();
        let mut initial = vec![];
        let mut active = vec![];
        for (thread, &is_in) in entered.iter().enumerate() {
            initial.push(params.iter().map(|&param| self.term(thread, param)).collect::<Vec<_>>());
            active.push(self.is_here(thread, is_in));
        }
        let zero = self.pool.bv(COUNT, 0);
        Head {
            alive: self.threads.iter().map(|thread| thread.alive).collect(),
            valid: active.clone(),
            active,
            entered: entered.to_vec(),
            params: initial.clone(),
            initial,
            visits: vec![zero; self.threads.len()],
            log: self.log.clone(),
            log_at_entry: self.log.clone(),
        }
    }

    /// An arbitrary visit: of two threads of which one at least is in the loop, or, if
    /// `is_last`, the state when both have left it.
    ///
    /// The walk goes on from there: arrays that the loop changes are unknown, a thread is
    /// alive only if it was before, and what candidates say is known.
    pub(super) fn arbitrary_head(&mut self, id: Loop, first: &Head, is_last: bool) -> Head {
        self.change_in(id);
        self.forget_private_in(id);
        let mut head = first.clone();
        self.arbitrary_lives(id, first, &mut head);
        self.arbitrary_activity(id, first, &mut head, is_last);
        self.arbitrary_params(id, &mut head);
        if !self.is_ghost {
            head.log = self.arbitrary_log(id, &first.log);
            self.log = head.log.clone();
        }
        self.know_candidates(id, &head);
        head
    }

    /// Which threads are alive at the visit: those that did not fail in an iteration before.
    fn arbitrary_lives(&mut self, id: Loop, first: &Head, head: &mut Head) {
        // Where both leave together and neither can fail by itself, both get here or none.
        let common = self.ends_together(id).then(|| self.unknown_truth("alive"));
        for thread in 0..self.threads.len() {
            let own = match common {
                Some(common) => common,
                None => self.unknown_truth("alive"),
            };
            let alive = self.unless_entered(first, thread, own);
            self.threads[thread].alive = alive;
            head.alive[thread] = alive;
            head.valid[thread] = self.is_here(thread, first.entered[thread]);
        }
    }

    /// The thread is alive, and if it entered the loop, this holds.
    fn unless_entered(&mut self, first: &Head, thread: usize, holds: TermId) -> TermId {
        let is_out = self.pool.not(first.entered[thread]);
        let gets_on = self.pool.or2(is_out, holds);
        self.pool.and2(self.threads[thread].alive, gets_on)
    }

    /// Which threads are in the loop.
    ///
    /// SOUNDNESS: candidates speak of the state at the visit. That a thread never leaves the
    /// loop, and so is not alive behind it, is no part of that state (test
    /// `a_thread_that_is_stuck_keeps_its_log`).
    fn arbitrary_activity(&mut self, id: Loop, first: &Head, head: &mut Head, is_last: bool) {
        let together = match is_last {
            true => self.ends_together(id),
            false => self.leaves_together(id),
        };
        let common = together.then(|| self.unknown_truth("runs"));
        for thread in 0..self.threads.len() {
            let own = match common {
                Some(common) => common,
                None => self.unknown_truth("runs"),
            };
            head.active[thread] = self.pool.and2(own, head.valid[thread]);
            if is_last {
                // Only a thread that never leaves is still in the loop.
                let leaves = self.pool.not(own);
                self.threads[thread].alive = self.unless_entered(first, thread, leaves);
            }
        }
    }

    fn arbitrary_params(&mut self, id: Loop, head: &mut Head) {
        let facts = self.setting.facts;
        let header = facts.loops.data(id).header;
        let params = facts.func.blocks[header].params.clone();
        let scope = self.row.scope();
        let is_pair = self.threads.len() == 2;
        let may_share =
            self.setting.options.uniformity && is_pair && (!self.is_ghost || self.is_aligned);
        let together = self.leaves_together(id);
        let both = self.pool.and(&head.active);
        for (number, &param) in params.iter().enumerate() {
            let is_uniform = may_share && !facts.uniformity.may_be_divergent(param, scope);
            let shared = is_uniform.then(|| self.unknown(param));
            for thread in 0..self.threads.len() {
                head.params[thread][number] =
                    self.own_or_shared(shared, together, both, |lockstep| lockstep.unknown(param));
            }
        }
        // In lock step both are in the same iteration, as long as both are in the loop.
        let shared = may_share.then(|| self.pool.fresh("visits", Sort::BitVec(COUNT)));
        for thread in 0..self.threads.len() {
            head.visits[thread] = self.own_or_shared(shared, together, both, |lockstep| {
                lockstep.pool.fresh("visits", Sort::BitVec(COUNT))
            });
        }
    }

    /// SOUNDNESS: a value that both threads have at the same visit is another one when they
    /// left at different visits (kernels/traps/22-uniform-but-later).
    fn own_or_shared(
        &mut self,
        shared: Option<TermId>,
        together: bool,
        both: TermId,
        own: impl FnOnce(&mut Self) -> TermId,
    ) -> TermId {
        match shared {
            Some(shared) if together => shared,
            Some(shared) => {
                let own = own(self);
                self.pool.ite(both, shared, own)
            }
            None => own(self),
        }
    }

    /// The log at an arbitrary visit: what the loop may change of it is unknown.
    fn arbitrary_log(&mut self, id: Loop, before: &Log) -> Log {
        let mut log = before.clone();
        for (&key, entry) in &mut log {
            if !self.changes_log(id, key) {
                continue;
            }
            entry.flag = self.unknown_truth("flag");
            let valued = self.unknown_truth("valued");
            // An access that wrote a certain value is an access.
            let is_logged = self.pool.implies(valued, entry.flag);
            self.known.push(is_logged, None);
            entry.valued = valued;
            if self.setting.options.instrumenter == crate::Instrumenter::Original {
                entry.valued = entry.flag;
                entry.offset = self.pool.fresh("offset", self.pool.sort(entry.offset));
                entry.value = self.pool.fresh("value", self.pool.sort(entry.value));
            }
            entry.site = self.pool.fresh("site", Sort::BitVec(16));
            for term in entry.params.values_mut() {
                *term = self.pool.fresh("logged", self.pool.sort(*term));
            }
            for term in entry.visits.values_mut() {
                *term = self.pool.fresh("logged", Sort::BitVec(COUNT));
            }
        }
        log
    }

    /// What candidates and invariants say of a state is known.
    fn know_candidates(&mut self, id: Loop, head: &Head) {
        for candidate in self.invariants.iter().filter(|one| one.id == id) {
            if let Some(term) = self.statement(id, &candidate.statement, head) {
                self.known.push(term, None);
            }
        }
        for number in 0..self.candidates.len() {
            if self.candidates[number].id != id {
                continue;
            }
            let statement = self.candidates[number].statement.clone();
            if self.is_ghost && !self.holds_of_ghosts(&statement) {
                continue;
            }
            if let Some(term) = self.statement(id, &statement, head) {
                self.known.push(term, Some(number));
            }
        }
    }

    /// Does it hold of threads that walk their last iterations again, at which they may be
    /// at different times? SOUNDNESS: nothing about logs, and relations of the two only if
    /// they left together (kernels/traps/22-uniform-but-later).
    fn holds_of_ghosts(&self, statement: &Statement) -> bool {
        match statement {
            Statement::Own(_) => true,
            Statement::User(inst) => !self.is_of_two(*inst),
            Statement::SameAlive => false,
            Statement::SameActive | Statement::SameValue(_) | Statement::SameDistance(_) => {
                self.is_aligned && self.row != Row::Alone
            }
            Statement::NoAccess(_)
            | Statement::OnlyIfEntered(_)
            | Statement::KeptIfNotEntered(_)
            | Statement::Logged(_)
            | Statement::LoggedOwn(..)
            | Statement::Offset(..) => false,
        }
    }

    /// The state at the next visit.
    pub(super) fn next_head(&mut self, head: &Head, backs: &[Arrival]) -> Head {
        let mut next = head.clone();
        let one = self.pool.bv(COUNT, 1);
        for thread in 0..self.threads.len() {
            let guards: Vec<TermId> = backs.iter().map(|way| way.guards[thread]).collect();
            let goes_on = self.join(&guards);
            next.active[thread] = self.is_here(thread, goes_on);
            next.valid[thread] = self.is_here(thread, head.entered[thread]);
            for number in 0..head.params[thread].len() {
                let mut term = head.params[thread][number];
                for way in backs {
                    let own = way.args[thread][number];
                    term = self.pool.ite(way.guards[thread], own, term);
                }
                next.params[thread][number] = term;
            }
            let more = self.pool.bits().add(head.visits[thread], one);
            next.visits[thread] = self.pool.ite(goes_on, more, head.visits[thread]);
        }
        next.alive = self.threads.iter().map(|thread| thread.alive).collect();
        next.log = self.log.clone();
        next
    }

    /// What entries remember of the loops around their sites, at the start.
    pub fn nothing_remembered(
        &mut self,
        insts: &[duet_ir::Inst],
    ) -> (BTreeMap<Value, TermId>, BTreeMap<Loop, TermId>) {
        let facts = self.setting.facts;
        let (mut params, mut visits) = (BTreeMap::new(), BTreeMap::new());
        for &inst in insts {
            let Some(block) = facts.block_of(inst) else { continue };
            for id in facts.loops.around(block) {
                let header = facts.loops.data(id).header;
                for &param in &facts.func.blocks[header].params {
                    let sort = ops::sort_of(facts.func.type_of(param));
                    params.insert(param, self.pool.fresh("logged", sort));
                }
                visits.insert(id, self.pool.fresh("logged", Sort::BitVec(COUNT)));
            }
        }
        (params, visits)
    }
}
