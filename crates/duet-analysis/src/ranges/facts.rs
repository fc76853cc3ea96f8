//! What conditions say about the values that they compare.

use duet_ir::{
    AnnotationKind, BinaryOp, Block, CastOp, Function, InstData, IntCc, Operation, Terminator,
    Type, Value,
};

use super::width_of;
use crate::EdgeId;
use crate::bits::{negate, swap};

/// `value cc other` holds, where `value` is `about` or a wider form of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fact {
    pub(super) about: Value,
    pub(super) cc: IntCc,
    pub(super) other: Other,
    /// The extension of `about` that the comparison is made on, with its width.
    pub(super) through: Option<(CastOp, u8)>,
}

/// The other side of a fact.
#[derive(Clone, Copy, Debug)]
pub(super) enum Other {
    Value(Value),
    Bits(u128, u8),
}

/// Where a fact holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Holds {
    /// In the blocks that the block dominates.
    From(Block),
    /// In the blocks that it dominates, itself aside.
    After(Block),
}

/// Facts from branches, switches, preconditions and assumptions, with the blocks
/// that they hold in.
pub(super) fn collect(func: &Function) -> Vec<(Fact, Holds)> {
    let mut found = Vec::new();
    let predecessors = func.predecessors();
    for &block in &func.layout {
        for (index, to) in func.successors(block).enumerate() {
            // The edge must be the only way in.
            if predecessors[to].len() == 1 {
                let facts = of_edge(func, EdgeId { from: block, index }).into_iter();
                found.extend(facts.map(|fact| (fact, Holds::From(to))));
            }
        }
        found.extend(of_annotations(func, block));
    }
    found
}

/// What holds when an edge is taken.
pub(super) fn of_edge(func: &Function, EdgeId { from, index }: EdgeId) -> Vec<Fact> {
    let mut facts = Vec::new();
    match &func.blocks[from].terminator {
        Terminator::Branch { cond, .. } => add_condition(func, *cond, index == 0, &mut facts),
        Terminator::Switch { arg, cases, .. } => {
            if let (Some((bits, _)), Some(width)) = (cases.get(index), width_of(func, *arg)) {
                add_fact(func, IntCc::Eq, *arg, Other::Bits(*bits, width), &mut facts);
            }
        }
        Terminator::Jump(_) | Terminator::Return(_) | Terminator::Halt => {}
    }
    facts
}

/// What holds when a condition is true, or false.
pub(super) fn of_condition(func: &Function, cond: Value, truth: bool) -> Vec<Fact> {
    let mut facts = Vec::new();
    add_condition(func, cond, truth, &mut facts);
    facts
}

/// Preconditions hold from the start; an assumption holds after it.
fn of_annotations(func: &Function, block: Block) -> Vec<(Fact, Holds)> {
    let mut found = Vec::new();
    for &inst in &func.blocks[block].insts {
        let InstData::Annotation { kind, args } = &func.insts[inst] else {
            continue;
        };
        let holds = match kind {
            AnnotationKind::Requires | AnnotationKind::GlobalRequires if block == func.entry() => {
                Holds::From(block)
            }
            AnnotationKind::Assume => Holds::After(block),
            AnnotationKind::Requires
            | AnnotationKind::GlobalRequires
            | AnnotationKind::Ensures
            | AnnotationKind::GlobalEnsures
            | AnnotationKind::CandidateAssert
            | AnnotationKind::CandidateGlobalAssert
            | AnnotationKind::Invariant
            | AnnotationKind::GlobalInvariant
            | AnnotationKind::CandidateInvariant
            | AnnotationKind::CandidateGlobalInvariant
            | AnnotationKind::FunctionWideInvariant
            | AnnotationKind::FunctionWideCandidateInvariant
            | AnnotationKind::BarrierInvariant
            | AnnotationKind::BarrierInvariantBinary
            | AnnotationKind::CellInvariant
            | AnnotationKind::Axiom
            | AnnotationKind::Contract
            | AnnotationKind::Verified
            | AnnotationKind::ReadsFrom
            | AnnotationKind::WritesTo
            | AnnotationKind::ArraySnapshot
            | AnnotationKind::Captured => continue,
        };
        if let [cond] = args.as_slice() {
            let facts = of_condition(func, *cond, true).into_iter();
            found.extend(facts.map(|fact| (fact, holds)));
        }
    }
    found
}

fn add_condition(func: &Function, cond: Value, truth: bool, facts: &mut Vec<Fact>) {
    if func.type_of(cond) != Type::BOOL {
        return;
    }
    add_fact(func, IntCc::Eq, cond, Other::Bits(u128::from(truth), 1), facts);
    match func.operation_of(cond) {
        Some(Operation::IntCompare { cc, args: [a, b] }) => {
            add_comparison(func, if truth { cc } else { negate(cc) }, a, b, facts);
        }
        Some(Operation::Binary { op: BinaryOp::Xor, args: [a, b], .. })
            if func.const_bits(b) == Some(1) =>
        {
            add_condition(func, a, !truth, facts);
        }
        Some(Operation::Binary { op: BinaryOp::And, args, .. }) if truth => {
            args.iter().for_each(|&arg| add_condition(func, arg, true, facts));
        }
        Some(Operation::Binary { op: BinaryOp::Or, args, .. }) if !truth => {
            args.iter().for_each(|&arg| add_condition(func, arg, false, facts));
        }
        Some(
            Operation::Binary { .. }
            | Operation::Unary { .. }
            | Operation::Cast { .. }
            | Operation::FloatCompare { .. }
            | Operation::Select { .. }
            | Operation::Geometry(_),
        )
        | None => {}
    }
}

/// `a cc b` holds: a fact about each side. Comparing a condition in wider form
/// with zero is a statement about the condition.
fn add_comparison(func: &Function, cc: IntCc, a: Value, b: Value, facts: &mut Vec<Fact>) {
    if width_of(func, a).is_none() {
        return;
    }
    add_fact(func, cc, a, Other::Value(b), facts);
    add_fact(func, swap(cc), b, Other::Value(a), facts);
    if func.const_bits(b) == Some(0)
        && matches!(cc, IntCc::Eq | IntCc::Ne)
        && let Some((_, narrow)) = extended(func, a)
    {
        add_condition(func, narrow, cc == IntCc::Ne, facts);
    }
}

/// A fact about a value, and about what it extends.
fn add_fact(func: &Function, cc: IntCc, value: Value, other: Other, facts: &mut Vec<Fact>) {
    facts.push(Fact { about: value, cc, other, through: None });
    if let Some((op, about)) = extended(func, value)
        && let (Some(width), Some(_)) = (width_of(func, value), width_of(func, about))
    {
        facts.push(Fact { about, cc, other, through: Some((op, width)) });
    }
}

/// What a value is the extension of.
fn extended(func: &Function, value: Value) -> Option<(CastOp, Value)> {
    let Operation::Cast { op: op @ (CastOp::ZExt | CastOp::SExt), arg, .. } =
        func.operation_of(value)?
    else {
        return None;
    };
    Some((op, arg))
}
