//! What the walk does not cover.

use duet_ir::{AnnotationKind, BarrierScope, Inst, InstData, Rule};
use duet_product::KernelFacts;

use crate::check::{Found, Open};
use crate::walk::instructions::names_other;
use crate::walk::lanes_meet;

pub(crate) fn unmodelled(inst: Option<Inst>, what: &'static str) -> Found {
    Found {
        rule: Rule::NotModelled,
        is_tolerated: false,
        primary: inst,
        secondary: None,
        why: Open::NotModelled(what),
    }
}

/// Instructions that the walk does not cover.
///
/// SOUNDNESS: each is a finding, so that a kernel that has one is never proved (test
/// `wrong_kernels_are_never_proved`).
pub(crate) fn not_modelled(facts: &KernelFacts<'_>) -> Vec<Found> {
    use AnnotationKind::*;
    let mut found = vec![];
    for inst in facts.func.insts_in_order() {
        let what = match &facts.func.insts[inst] {
            InstData::AsyncCopy { .. } | InstData::WaitEvents { .. } => "asynchronous copies",
            InstData::Barrier { scope: BarrierScope::Warp, arg: None } => "barriers of a warp",
            data if data.lane_mask().is_some_and(|mask| {
                !facts.block_of(inst).is_some_and(|block| lanes_meet(facts, block, mask))
            }) =>
            {
                "masks of a warp whose lanes may not all come by"
            }
            InstData::Call { .. } => "calls that are not inlined",
            InstData::CallUnknown { .. } => "functions without a body",
            // SOUNDNESS: in lock step two threads come to it together, which they need not:
            // kernels/contracts/uniform-in-loop-bug, assumed-later-bug.
            InstData::Assert { .. } | InstData::Annotation { kind: Assume | Invariant, .. }
                if names_other(facts.func, inst) =>
            {
                "statements about two threads"
            }
            InstData::Annotation { kind: Invariant | GlobalInvariant, .. }
                if !is_at_a_head(facts, inst) =>
            {
                found.push(Found { rule: Rule::MisplacedAnnotation, ..unmodelled(Some(inst), "") });
                continue;
            }
            InstData::Annotation { kind, .. } => match kind {
                BarrierInvariant | BarrierInvariantBinary | CellInvariant => {
                    "barrier invariants by logs"
                }
                // SOUNDNESS: a claim about every access is not shown by the heads of loops
                // (test `claims_about_a_whole_function_are_not_passed_over`).
                FunctionWideInvariant => "claims about a whole function",
                Ensures | GlobalEnsures => "postconditions",
                ArraySnapshot => "snapshots of arrays",
                Requires
                | GlobalRequires
                | Assume
                | CandidateAssert
                | CandidateGlobalAssert
                | Invariant
                | GlobalInvariant
                | CandidateInvariant
                | CandidateGlobalInvariant
                | FunctionWideCandidateInvariant
                | Axiom
                | Contract
                | Verified
                | ReadsFrom
                | WritesTo
                | Captured => continue,
            },
            InstData::Binary { .. }
            | InstData::Unary { .. }
            | InstData::Cast { .. }
            | InstData::IntCompare { .. }
            | InstData::FloatCompare { .. }
            | InstData::Select { .. }
            | InstData::Pure { .. }
            | InstData::Fresh { .. }
            | InstData::Geometry(_)
            | InstData::PtrToInt { .. }
            | InstData::IntToPtr { .. }
            | InstData::Load { .. }
            | InstData::Store { .. }
            | InstData::Atomic { .. }
            | InstData::Barrier { .. }
            | InstData::BarrierReduce { .. }
            | InstData::Fence { .. }
            | InstData::Exchange { .. }
            | InstData::Assert { .. }
            | InstData::Ghost { .. } => continue,
        };
        found.push(unmodelled(Some(inst), what));
    }
    found
}

/// Is the annotation at the head of a loop?
fn is_at_a_head(facts: &KernelFacts<'_>, inst: Inst) -> bool {
    facts.block_of(inst).is_some_and(|block| facts.loops.headed_by(block).is_some())
}
