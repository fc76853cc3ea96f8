//! States at the heads of loops: on entry, at an arbitrary visit, at the next one.

use super::evaluate::statement_term;
use super::instructions::depends_on_two;
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

/// The state when the loop is entered; the parameters are bound.
pub(crate) fn head_on_entry(walk: &mut Lockstep<'_>, id: Loop, entered: &[TermId]) -> Head {
    let header = walk.setting.facts.loops.data(id).header;
    let params = walk.setting.facts.func.blocks[header].params.clone();
    let mut initial = vec![];
    let mut active = vec![];
    for (thread, &is_in) in entered.iter().enumerate() {
        initial.push(params.iter().map(|&param| walk.term(thread, param)).collect::<Vec<_>>());
        active.push(walk.is_here(thread, is_in));
    }
    let zero = walk.pool.bv(COUNT, 0);
    Head {
        alive: walk.threads.iter().map(|thread| thread.alive).collect(),
        valid: active.clone(),
        active,
        entered: entered.to_vec(),
        params: initial.clone(),
        initial,
        visits: vec![zero; walk.threads.len()],
        log: walk.log.clone(),
        log_at_entry: walk.log.clone(),
    }
}

/// An arbitrary visit: of two threads of which one at least is in the loop, or, if
/// `is_last`, the state when both have left it.
///
/// The walk goes on from there: arrays that the loop changes are unknown, a thread is
/// alive only if it was before, and what candidates say is known.
pub(crate) fn arbitrary_head(
    walk: &mut Lockstep<'_>,
    id: Loop,
    first: &Head,
    is_last: bool,
) -> Head {
    walk.change_in(id);
    walk.forget_private_in(id);
    let mut head = first.clone();
    arbitrary_lives(walk, id, first, &mut head);
    arbitrary_activity(walk, id, first, &mut head, is_last);
    arbitrary_params(walk, id, &mut head);
    if !walk.is_ghost {
        head.log = arbitrary_log(walk, id, &first.log);
        walk.log = head.log.clone();
    }
    know_candidates(walk, id, &head);
    head
}

/// Which threads are alive at the visit: those that did not fail in an iteration before.
pub(crate) fn arbitrary_lives(walk: &mut Lockstep<'_>, id: Loop, first: &Head, head: &mut Head) {
    // Where both leave together and neither can fail by itself, both get here or none.
    let common = walk.ends_together(id).then(|| walk.unknown_truth("alive"));
    for thread in 0..walk.threads.len() {
        let own = match common {
            Some(common) => common,
            None => walk.unknown_truth("alive"),
        };
        let alive = unless_entered(walk, first, thread, own);
        walk.threads[thread].alive = alive;
        head.alive[thread] = alive;
        head.valid[thread] = walk.is_here(thread, first.entered[thread]);
    }
}

/// The thread is alive, and if it entered the loop, this holds.
pub(crate) fn unless_entered(
    walk: &mut Lockstep<'_>,
    first: &Head,
    thread: usize,
    holds: TermId,
) -> TermId {
    let is_out = walk.pool.not(first.entered[thread]);
    let gets_on = walk.pool.or2(is_out, holds);
    walk.pool.and2(walk.threads[thread].alive, gets_on)
}

/// Which threads are in the loop.
///
/// SOUNDNESS: candidates speak of the state at the visit. That a thread never leaves the
/// loop, and so is not alive behind it, is no part of that state (test
/// `a_thread_that_is_stuck_keeps_its_log`).
pub(crate) fn arbitrary_activity(
    walk: &mut Lockstep<'_>,
    id: Loop,
    first: &Head,
    head: &mut Head,
    is_last: bool,
) {
    let together = match is_last {
        true => walk.ends_together(id),
        false => walk.leaves_together(id),
    };
    let common = together.then(|| walk.unknown_truth("runs"));
    for thread in 0..walk.threads.len() {
        let own = match common {
            Some(common) => common,
            None => walk.unknown_truth("runs"),
        };
        head.active[thread] = match is_last {
            true => walk.pool.and2(own, head.valid[thread]),
            false => enabled_or_astray(walk, first, thread, own),
        };
        if is_last {
            // Only a thread that never leaves is still in the loop.
            let leaves = walk.pool.not(own);
            walk.threads[thread].alive = unless_entered(walk, first, thread, leaves);
        }
    }
}

/// The thread is alive and in the loop. That only a thread that entered the loop is in it is
/// left to a rule (*conditionsImplyingEnabledness*): without it any other may be, too.
fn enabled_or_astray(walk: &mut Lockstep<'_>, first: &Head, thread: usize, own: TermId) -> TermId {
    let entered = first.entered[thread];
    if walk.pool.as_bool(entered) == Some(true) {
        return walk.is_here(thread, own);
    }
    let astray = walk.unknown_truth("astray");
    let runs = walk.pool.ite(entered, own, astray);
    walk.is_here(thread, runs)
}

pub(crate) fn arbitrary_params(walk: &mut Lockstep<'_>, id: Loop, head: &mut Head) {
    let facts = walk.setting.facts;
    let header = facts.loops.data(id).header;
    let params = facts.func.blocks[header].params.clone();
    let scope = walk.row.scope();
    let is_pair = walk.threads.len() == 2;
    let may_share =
        walk.setting.options.uniformity && is_pair && (!walk.is_ghost || walk.is_aligned);
    let together = walk.leaves_together(id);
    let both = walk.pool.and(&head.active);
    for (number, &param) in params.iter().enumerate() {
        let is_uniform = may_share && !facts.uniformity.may_be_divergent(param, scope);
        let shared = is_uniform.then(|| walk.unknown(param));
        for thread in 0..walk.threads.len() {
            head.params[thread][number] =
                own_or_shared(walk, shared, together, both, |lockstep| lockstep.unknown(param));
        }
    }
    // In lock step both are in the same iteration, as long as both are in the loop.
    let shared = may_share.then(|| walk.pool.fresh("visits", Sort::BitVec(COUNT)));
    for thread in 0..walk.threads.len() {
        head.visits[thread] = own_or_shared(walk, shared, together, both, |lockstep| {
            lockstep.pool.fresh("visits", Sort::BitVec(COUNT))
        });
    }
}

/// SOUNDNESS: a value that both threads have at the same visit is another one when they
/// left at different visits (kernels/traps/22-uniform-but-later).
pub(crate) fn own_or_shared(
    walk: &mut Lockstep<'_>,
    shared: Option<TermId>,
    together: bool,
    both: TermId,
    own: impl FnOnce(&mut Lockstep<'_>) -> TermId,
) -> TermId {
    match shared {
        Some(shared) if together => shared,
        Some(shared) => {
            let own = own(walk);
            walk.pool.ite(both, shared, own)
        }
        None => own(walk),
    }
}

/// The log at an arbitrary visit: what the loop may change of it is unknown.
pub(crate) fn arbitrary_log(walk: &mut Lockstep<'_>, id: Loop, before: &Log) -> Log {
    let mut log = before.clone();
    for (&key, entry) in &mut log {
        if !walk.changes_log(id, key) {
            continue;
        }
        entry.flag = walk.unknown_truth("flag");
        let valued = walk.unknown_truth("valued");
        // An access that wrote a certain value is an access.
        let is_logged = walk.pool.implies(valued, entry.flag);
        walk.known.push(is_logged, None);
        entry.valued = valued;
        if walk.setting.options.instrumenter == crate::Instrumenter::Original {
            entry.valued = entry.flag;
            entry.offset = walk.pool.fresh("offset", walk.pool.sort(entry.offset));
            entry.value = walk.pool.fresh("value", walk.pool.sort(entry.value));
        }
        entry.site = walk.pool.fresh("site", Sort::BitVec(16));
        for term in entry.params.values_mut() {
            *term = walk.pool.fresh("logged", walk.pool.sort(*term));
        }
        for term in entry.visits.values_mut() {
            *term = walk.pool.fresh("logged", Sort::BitVec(COUNT));
        }
    }
    log
}

/// What candidates and invariants say of a state is known.
pub(crate) fn know_candidates(walk: &mut Lockstep<'_>, id: Loop, head: &Head) {
    for candidate in walk.invariants.iter().filter(|one| one.id == id) {
        if let Some(term) = statement_term(walk, id, &candidate.statement, head) {
            walk.known.push(term, None);
        }
    }
    for number in 0..walk.candidates.len() {
        if walk.candidates[number].id != id {
            continue;
        }
        let statement = walk.candidates[number].statement.clone();
        if walk.is_ghost && !holds_of_ghosts(walk, &statement) {
            continue;
        }
        if let Some(term) = statement_term(walk, id, &statement, head) {
            walk.known.push(term, Some(number));
        }
    }
}

/// Does it hold of threads that walk their last iterations again, at which they may be
/// at different times? SOUNDNESS: nothing about logs, and relations of the two only if
/// they left together (kernels/traps/22-uniform-but-later).
pub(crate) fn holds_of_ghosts(walk: &Lockstep<'_>, statement: &Statement) -> bool {
    match statement {
        Statement::Own(_) => true,
        Statement::User(inst) => !depends_on_two(walk, *inst),
        Statement::SameAlive => false,
        Statement::SameActive | Statement::SameValue(_) | Statement::SameDistance(_) => {
            walk.is_aligned && walk.row != Row::Alone
        }
        Statement::NoAccess(_)
        | Statement::NoAccessInWarp(_)
        | Statement::ActiveOnlyIfEntered
        | Statement::ActiveIf(..)
        | Statement::OnlyIfEntered(_)
        | Statement::KeptIfNotEntered(_)
        | Statement::Logged(_)
        | Statement::LoggedOwn(..)
        | Statement::Offset(..) => false,
    }
}

/// The state at the next visit.
pub(crate) fn next_head(walk: &mut Lockstep<'_>, head: &Head, backs: &[Arrival]) -> Head {
    let mut next = head.clone();
    let one = walk.pool.bv(COUNT, 1);
    for thread in 0..walk.threads.len() {
        let guards: Vec<TermId> = backs.iter().map(|way| way.guards[thread]).collect();
        let goes_on = walk.join(&guards);
        next.active[thread] = walk.is_here(thread, goes_on);
        next.valid[thread] = walk.is_here(thread, head.entered[thread]);
        for number in 0..head.params[thread].len() {
            let mut term = head.params[thread][number];
            for way in backs {
                let own = way.args[thread][number];
                term = walk.pool.ite(way.guards[thread], own, term);
            }
            next.params[thread][number] = term;
        }
        let more = walk.pool.bits().add(head.visits[thread], one);
        next.visits[thread] = walk.pool.ite(goes_on, more, head.visits[thread]);
    }
    next.alive = walk.threads.iter().map(|thread| thread.alive).collect();
    next.log = walk.log.clone();
    next
}

/// What entries remember of the loops around their sites, at the start.
pub(crate) fn nothing_remembered(
    walk: &mut Lockstep<'_>,
    insts: &[duet_ir::Inst],
) -> (BTreeMap<Value, TermId>, BTreeMap<Loop, TermId>) {
    let facts = walk.setting.facts;
    let (mut params, mut visits) = (BTreeMap::new(), BTreeMap::new());
    for &inst in insts {
        let Some(block) = facts.block_of(inst) else { continue };
        for id in facts.loops.around(block) {
            let header = facts.loops.data(id).header;
            for &param in &facts.func.blocks[header].params {
                let sort = ops::sort_of(facts.func.type_of(param));
                params.insert(param, walk.pool.fresh("logged", sort));
            }
            visits.insert(id, walk.pool.fresh("logged", Sort::BitVec(COUNT)));
        }
    }
    (params, visits)
}
