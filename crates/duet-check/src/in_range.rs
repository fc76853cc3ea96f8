//! Arithmetic that a proof may assume to stay in its range: which operations, by line, and
//! the assumption in words.

use std::collections::{BTreeMap, BTreeSet};

use duet_analysis::{DataDependence, decisions};
use duet_ir::{BinaryOp, Effect, Function, Inst, Operation, Value, ValueDef};
use duet_product::KernelFacts;
use duet_vc::{InRange, may_be_assumed};

/// All operations that may be assumed to stay in range.
pub(crate) fn everything(facts: &KernelFacts<'_>) -> InRange {
    union(&assumable(facts))
}

/// All operations of these lines.
pub(crate) fn union(lines: &[InRange]) -> InRange {
    lines.iter().flatten().copied().collect()
}

/// What an assumption says, for the verdict.
pub(crate) fn in_words(facts: &KernelFacts<'_>, in_range: &InRange) -> Vec<String> {
    let lines = |converted: bool| -> BTreeSet<u32> {
        let of_kind = in_range.iter().filter(|&&inst| facts.func.into_signed[inst] == converted);
        of_kind.filter_map(|&inst| facts.line_of(inst)).collect()
    };
    let mut list = vec![];
    if let Some(places) = places(&lines(false)) {
        list.push(format!("there is no signed overflow at {places}"));
    }
    if let Some(places) = places(&lines(true)) {
        list.push(format!("what is put into a signed variable at {places} fits it"));
    }
    list
}

/// `line 3`, `lines 3 and 4`.
fn places(lines: &BTreeSet<u32>) -> Option<String> {
    let numbers: Vec<String> = lines.iter().map(u32::to_string).collect();
    match &numbers[..] {
        [] => None,
        [one] => Some(format!("line {one}")),
        [first @ .., last] => Some(format!("lines {} and {last}", first.join(", "))),
    }
}

/// The operations that may be assumed to stay in range and on which an address, a
/// branch or a statement depends, by line.
pub(crate) fn assumable(facts: &KernelFacts<'_>) -> Vec<InRange> {
    let mut lines: BTreeMap<(Option<u32>, bool), InRange> = BTreeMap::new();
    for inst in relevant(facts.func) {
        if may_be_assumed(facts.func, inst) {
            let key = (facts.line_of(inst), facts.func.into_signed[inst]);
            lines.entry(key).or_default().insert(inst);
        }
    }
    // SOUNDNESS: what cannot be named in the verdict is not assumed (test
    // `what_has_no_line_is_not_assumed`).
    lines.into_iter().filter(|((line, _), _)| line.is_some()).map(|(_, insts)| insts).collect()
}

/// Does an address, a branch or a statement depend on a product of two unknown
/// values, one of them an argument or loaded from memory? What wraps there is hard to tell.
pub(crate) fn multiplies_unknowns(facts: &KernelFacts<'_>) -> bool {
    let func = facts.func;
    let is_unknown = |value: Value| match func.values[value] {
        ValueDef::FunctionParam(_) => true,
        ValueDef::Result(inst, _) => func.insts[inst].effect() == Effect::Memory,
        ValueDef::BlockParam(..) | ValueDef::Const(_) => false,
    };
    let depends = |arg: Value| DataDependence::of(func, vec![arg]).values().any(is_unknown);
    relevant(func).into_iter().any(|inst| match func.insts[inst].operation() {
        Some(Operation::Binary { op: BinaryOp::Mul, args, .. }) => {
            let is_number = args.iter().any(|&arg| func.const_bits(arg).is_some());
            !is_number && args.iter().any(|&arg| depends(arg))
        }
        _ => false,
    })
}

/// The instructions that addresses, branches and statements depend on.
fn relevant(func: &Function) -> BTreeSet<Inst> {
    let sources = DataDependence::of(func, decisions(func));
    let definition = |value: Value| match func.values[value] {
        ValueDef::Result(inst, _) => Some(inst),
        ValueDef::BlockParam(..) | ValueDef::Const(_) | ValueDef::FunctionParam(_) => None,
    };
    sources.values().filter_map(definition).collect()
}
