//! Barriers whose removal keeps every property proved.
//!
//! A kernel that is proved without a barrier has no race without it, so every plain read
//! sees the same write as before. Atomic operations don't race, but a barrier between two
//! on the same array decides which comes first: it stays, unless the order cannot be observed (they
//! are all of one kind that commutes, and their results are unused). Each is left
//! out alone; of two that guard the same accesses both are named, and only one of them
//! may go.

use std::collections::{BTreeMap, BTreeSet};

use duet_ask::Session;
use duet_check::{CheckOptions, KernelReport, Verdict, check_kernel};
use duet_ir::{
    Array, AtomicOp, BarrierScope, Block, Func, Function, Inst, InstData, Module, SourceSpan,
    WellFormed,
};
use duet_smt::solver::SolverError;
use duet_transform::without_barriers;

/// A barrier of the source that could go.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RedundantBarrier {
    /// Where it is.
    pub span: SourceSpan,
    /// Its instructions; a barrier in a function is there as often as that is called.
    pub insts: Vec<Inst>,
}

/// The barriers that the kernel could do without, in source order. `report` is the
/// check of the kernel as it is; unless that is a proof nothing is known.
pub fn redundant_barriers(
    session: &mut Session,
    module: &WellFormed,
    kernel: Func,
    options: &CheckOptions,
    report: &KernelReport,
) -> Result<Vec<RedundantBarrier>, SolverError> {
    // Where fences and flags order accesses, a read may see another write without the
    // barrier, and there is no race all the same.
    if report.verdict != Verdict::Proved || has_fence(&module.functions[kernel]) {
        return Ok(vec![]);
    }
    let options = CheckOptions { refute: false, explain: false, ..options.clone() };
    let mut found = vec![];
    for (span, insts) in barriers(module, &module.functions[kernel]) {
        if insts.iter().any(|&inst| orders_atomics(&module.functions[kernel], inst)) {
            continue;
        }
        let less = without_barriers(module, kernel, &insts);
        let without = check_kernel(session, &less, kernel, &options)?;
        if is_as_good(&without, report) {
            found.push(RedundantBarrier { span, insts });
        }
    }
    Ok(found)
}

fn has_fence(func: &Function) -> bool {
    func.insts_in_order().any(|inst| func.insts[inst].may_order_others())
}

/// Is the second proof no better than the first? One that assumes more, or tolerates
/// more writes of the same value, is.
fn is_as_good(without: &KernelReport, report: &KernelReport) -> bool {
    without.verdict == Verdict::Proved
        && without.assumptions.iter().all(|one| report.assumptions.contains(one))
        && without.findings.len() <= report.findings.len()
}

/// Does the barrier come between atomic operations whose order matters?
fn orders_atomics(func: &Function, barrier: Inst) -> bool {
    let Some(home) = func.block_of(barrier) else { return false };
    let predecessors = func.predecessors();
    let before = reached(home, |block| predecessors[block].clone());
    let after = reached(home, |block| func.successors(block).collect());
    let insts = &func.blocks[home].insts;
    let place = insts.iter().position(|&inst| inst == barrier).unwrap_or(0);
    let mut earlier = atomics(func, before.iter().flat_map(|&block| &func.blocks[block].insts));
    earlier.extend(atomics(func, &insts[..place]));
    let mut later = atomics(func, after.iter().flat_map(|&block| &func.blocks[block].insts));
    later.extend(atomics(func, &insts[place..]));
    let kinds = |array: Array| earlier.iter().chain(&later).filter(move |one| one.0 == array);
    earlier.iter().filter(|one| later.iter().any(|other| other.0 == one.0)).any(|&(array, op)| {
        op.is_none_or(|op| !commutes(op)) || kinds(array).any(|&(_, other)| other != op)
    })
}

/// The blocks that steps from a block lead to.
fn reached(from: Block, step: impl Fn(Block) -> Vec<Block>) -> BTreeSet<Block> {
    let mut found = BTreeSet::new();
    let mut open = step(from);
    while let Some(block) = open.pop() {
        if found.insert(block) {
            open.extend(step(block));
        }
    }
    found
}

/// The atomic operations among instructions: on what, and what they do if nothing uses
/// what they return.
fn atomics<'i>(
    func: &Function,
    insts: impl IntoIterator<Item = &'i Inst>,
) -> BTreeSet<(Array, Option<AtomicOp>)> {
    let mut found = BTreeSet::new();
    for &inst in insts {
        let data = &func.insts[inst];
        for (_, access) in data.accesses().into_iter().filter(|(mode, _)| mode.is_atomic()) {
            let is_used = func.results_of[inst].iter().any(|&result| func.is_used(result));
            let op = if let InstData::Atomic { op, .. } = data { Some(*op) } else { None };
            found.insert((access.array, op.filter(|_| !is_used)));
        }
    }
    found
}

/// Does the order of such operations make no difference to what they leave behind?
fn commutes(op: AtomicOp) -> bool {
    use AtomicOp::*;
    matches!(op, Add | Sub | SMin | SMax | UMin | UMax | And | Or | Xor)
}

/// The barriers of blocks and of the grid, by their places in the source.
fn barriers(module: &Module, func: &Function) -> BTreeMap<SourceSpan, Vec<Inst>> {
    let mut found: BTreeMap<SourceSpan, Vec<Inst>> = BTreeMap::new();
    for inst in func.insts_in_order() {
        use BarrierScope::{Block, Grid};
        if !matches!(func.insts[inst], InstData::Barrier { scope: Block | Grid, .. }) {
            continue;
        }
        if let Some(span) = module.span_of_inst(func, inst) {
            found.entry(span).or_default().push(inst);
        }
    }
    found
}
