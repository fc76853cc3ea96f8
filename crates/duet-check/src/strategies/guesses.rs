//! Guessed claims about memory at barriers.
//!
//! A thread that reads a cell which *another* thread stored before a barrier knows nothing
//! of it without a claim (docs/barrier-invariants.md). For kernels that are not proved
//! otherwise, claims are made up from the stores of arrays whose contents decide what is
//! accessed, for each barrier that comes after a store:
//!
//! * the cell holds what was stored, if that can be computed again at the barrier;
//! * the cell holds a number in the range that the stored value has;
//! * the cells of two threads hold different numbers.
//!
//! As with loop invariants, those that cannot be proved are dropped, all others are asked
//! again without them, and so on (Houdini). What is left is written into a copy of the
//! kernel, and that copy is checked like one with annotations.
//!
//! SOUNDNESS: only the check of the copy counts, in which every claim that is left is
//! proved before its barrier (duet-transform/src/claims.rs); if it is no proof, nothing of
//! this is used (kernels/contents/other-mirror-bug).

use std::collections::BTreeSet;

use duet_ask::Session;
use duet_ir::{
    AccessMode, Array, BarrierScope, Block, Inst, InstData, Space, Terminator, Type, Value,
    ValueDef,
};
use duet_product::KernelFacts;
use duet_smt::solver::SolverError;
use duet_transform::{BarrierClaim, CellClaim, with_claims};
use duet_vc::InRange;

use super::carry::arrays_to_carry;
use super::check_under;
use crate::check::{Case, Check};
use crate::options::CheckOptions;
use crate::properties::Claims;
use crate::report::{KernelReport, Verdict};

/// Claims that are made up for a kernel, at most.
const MAX_CLAIMS: usize = 24;
/// Times that claims are dropped.
const MAX_ROUNDS: usize = 6;

/// A proof with made-up claims, where `report` says that there is none without; both
/// assume the same of arithmetic.
pub(crate) fn prove(
    session: &mut Session,
    case: &Case<'_>,
    options: &CheckOptions,
    in_range: &InRange,
    report: &KernelReport,
) -> Result<Option<KernelReport>, SolverError> {
    let facts = &case.facts;
    let is_wanted = report.verdict == Verdict::Unproven && options.infer;
    let is_meant = options.warp_sync.is_none() && !options.only_divergence;
    // A user who wrote claims knows the kernel better, and each guess costs questions.
    if !is_wanted || !is_meant || facts.claims.places.iter().next().is_some() {
        return Ok(None);
    }
    let with = |guesses: &[BarrierClaim]| {
        with_claims(facts.module, facts.kernel, guesses, |inst| is_constant(facts, inst))
    };
    let mut guesses = guesses(facts, options, report);
    let mut can_be_said = with(&guesses).1.into_iter();
    guesses.retain(|_| can_be_said.next().flatten().is_some());
    for _ in 0..MAX_ROUNDS {
        if guesses.is_empty() {
            return Ok(None);
        }
        let (copy, made) = with(&guesses);
        let case = Case::new(&copy, facts.kernel, options);
        let failed = failed_claims(session, &case, options, in_range, report)?;
        if failed.is_empty() {
            let again = check_under(session, &case, options, in_range.clone(), None)?;
            return Ok((again.verdict == Verdict::Proved).then_some(again));
        }
        let mut made = made.into_iter();
        guesses.retain(|_| made.next().flatten().is_some_and(|claim| !failed.contains(&claim)));
    }
    Ok(None)
}

/// The claims that are not proved while all of them are relied on. A filter only.
fn failed_claims(
    session: &mut Session,
    case: &Case<'_>,
    options: &CheckOptions,
    in_range: &InRange,
    report: &KernelReport,
) -> Result<BTreeSet<Inst>, SolverError> {
    let mut check = Check::new(session, case, options, in_range.clone());
    check.walker.invariants = report.invariants.clone();
    Claims { check: &mut check }.check_claims()?;
    Ok(check.findings.iter().filter_map(|finding| finding.primary).collect())
}

/// Claims for the stores to arrays that matter.
fn guesses(
    facts: &KernelFacts<'_>,
    options: &CheckOptions,
    report: &KernelReport,
) -> Vec<BarrierClaim> {
    let arrays = arrays_to_carry(facts, options, report);
    let mut guesses = vec![];
    for (block, barrier) in facts.func.insts_with_blocks() {
        if !matches!(
            facts.func.insts[barrier],
            InstData::Barrier { scope: BarrierScope::Block, .. }
        ) {
            continue;
        }
        for &array in &arrays {
            for store in stores_before(facts, array, block, barrier) {
                guesses.extend(of_store(facts, barrier, block, store));
            }
        }
    }
    guesses.truncate(MAX_CLAIMS);
    guesses
}

/// The plain stores to an array from which a way leads to the barrier.
fn stores_before(
    facts: &KernelFacts<'_>,
    array: Array,
    block: Block,
    barrier: Inst,
) -> Vec<(Block, Inst)> {
    let mut found = vec![];
    for site in facts.uses.sites(array).iter().filter(|site| site.kind == AccessMode::Store) {
        let Some(of) = facts.func.block_of(site.inst) else { continue };
        let number = |inst| facts.func.blocks[block].insts.iter().position(|&one| one == inst);
        let is_before = of == block && number(site.inst) < number(barrier);
        if is_before || reaches(facts, of, block) {
            found.push((of, site.inst));
        }
    }
    found
}

/// Does a way lead from behind one block to another?
fn reaches(facts: &KernelFacts<'_>, from: Block, to: Block) -> bool {
    let (mut open, mut seen) = (vec![from], BTreeSet::new());
    while let Some(block) = open.pop() {
        for next in facts.func.successors(block) {
            if next == to {
                return true;
            }
            if seen.insert(next) {
                open.push(next);
            }
        }
    }
    false
}

/// The claims about the cell of a store.
fn of_store(
    facts: &KernelFacts<'_>,
    barrier: Inst,
    at: Block,
    (block, store): (Block, Inst),
) -> Vec<BarrierClaim> {
    let InstData::Store { values, .. } = &facts.func.insts[store] else { return vec![] };
    let &[stored] = &values[..] else { return vec![] };
    let Type::Int(width) = facts.func.type_of(stored) else { return vec![] };
    let Some(when) = conditions(facts, block, at) else { return vec![] };
    let claim = |says| BarrierClaim { barrier, store, when: when.clone(), says };
    if is_told_by_ids(facts, stored, 0) {
        return vec![claim(CellClaim::Stored)];
    }
    let mut claims = vec![claim(CellClaim::Distinct)];
    if let Some(range) = facts.ranges.at(stored, block) {
        let (lo, hi) = range.unsigned();
        let most = u128::MAX >> (128 - u32::from(width));
        if (lo, hi) != (0, most) && lo <= hi {
            claims.push(claim(CellClaim::Within(lo, hi)));
        }
    }
    claims
}

/// The conditions on the way from a block that dominates the barrier to the store.
fn conditions(facts: &KernelFacts<'_>, store: Block, at: Block) -> Option<Vec<(Value, bool)>> {
    let (mut block, mut when) = (store, vec![]);
    while block != at && !facts.dominators.dominates(block, at) {
        let above = facts.dominators.immediate(block)?;
        if let Terminator::Branch { cond, then, otherwise } = &facts.func.blocks[above].terminator {
            match (then.block == block, otherwise.block == block) {
                (true, false) => when.push((*cond, true)),
                (false, true) => when.push((*cond, false)),
                (true, true) | (false, false) => {}
            }
        }
        block = above;
    }
    Some(when)
}

/// Expressions that are looked into.
const MAX_DEPTH: u32 = 24;

/// Is the value computed from ids, sizes, arguments and memory that no thread writes, or from
/// what all threads share?
fn is_told_by_ids(facts: &KernelFacts<'_>, value: Value, depth: u32) -> bool {
    let ValueDef::Result(inst, _) = facts.func.values[value] else {
        return is_shared_by_all(facts, value);
    };
    match &facts.func.insts[inst] {
        InstData::Geometry(_) => true,
        InstData::Load { .. } => is_constant(facts, inst) || is_shared_by_all(facts, value),
        data @ (InstData::Binary { .. }
        | InstData::Unary { .. }
        | InstData::Cast { .. }
        | InstData::IntCompare { .. }
        | InstData::FloatCompare { .. }
        | InstData::Select { .. }
        | InstData::Pure { .. }) => {
            let of_all = |operand| is_told_by_ids(facts, operand, depth + 1);
            depth < MAX_DEPTH && data.values().into_iter().all(of_all)
        }
        InstData::Fresh { .. }
        | InstData::PtrToInt { .. }
        | InstData::IntToPtr { .. }
        | InstData::Store { .. }
        | InstData::Atomic { .. }
        | InstData::Barrier { .. }
        | InstData::BarrierReduce { .. }
        | InstData::Fence { .. }
        | InstData::Exchange { .. }
        | InstData::AsyncCopy { .. }
        | InstData::WaitEvents { .. }
        | InstData::Assert { .. }
        | InstData::Annotation { .. }
        | InstData::Ghost { .. }
        | InstData::Call { .. }
        | InstData::CallUnknown { .. } => is_shared_by_all(facts, value),
    }
}

fn is_shared_by_all(facts: &KernelFacts<'_>, value: Value) -> bool {
    !facts.uniformity.may_be_divergent(value, BarrierScope::Block)
}

/// Does the instruction load memory that no thread writes?
fn is_constant(facts: &KernelFacts<'_>, inst: Inst) -> bool {
    let InstData::Load { access, .. } = &facts.func.insts[inst] else { return false };
    let is_outside =
        matches!(facts.module.arrays[access.array].space, Space::Global | Space::Constant);
    is_outside && !access.volatile && facts.uses.is_never_written(access.array)
}
