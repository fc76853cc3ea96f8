//! Arithmetic that a proof may assume to stay in its range: which operations, by line, and
//! the assumption in words.

use std::collections::{BTreeMap, BTreeSet};

use duet_ir::{Edge, Effect, Function, Inst, InstData, Terminator, Value, ValueDef};
use duet_product::KernelFacts;
use duet_vc::{InRange, may_be_assumed};

/// All operations that may be assumed to stay in range.
pub(crate) fn everything(facts: &KernelFacts<'_>) -> InRange {
    union(&assumable(facts))
}

/// Is everything assumed that may be?
pub(crate) fn assumes_all(facts: &KernelFacts<'_>, in_range: &InRange) -> bool {
    union(&assumable(facts)) == *in_range
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

/// The instructions that addresses, branches and statements depend on.
fn relevant(func: &Function) -> BTreeSet<Inst> {
    let mut open: Vec<Value> = vec![];
    let mut sources: BTreeMap<Value, Vec<Value>> = BTreeMap::new();
    for &block in &func.layout {
        for &inst in &func.blocks[block].insts {
            open.extend(judged(&func.insts[inst]));
        }
        let terminator = &func.blocks[block].terminator;
        match terminator {
            Terminator::Branch { cond, .. } => open.push(*cond),
            Terminator::Switch { arg, .. } => open.push(*arg),
            Terminator::Jump(_) | Terminator::Return(_) | Terminator::Halt => {}
        }
        for Edge { block: to, args } in terminator.edges() {
            for (&param, &arg) in func.blocks[*to].params.iter().zip(args) {
                sources.entry(param).or_default().push(arg);
            }
        }
    }
    let mut seen: BTreeSet<Value> = BTreeSet::new();
    let mut found = BTreeSet::new();
    while let Some(value) = open.pop() {
        if !seen.insert(value) {
            continue;
        }
        match func.values[value] {
            ValueDef::Result(inst, _) => {
                found.insert(inst);
                open.extend(func.insts[inst].values());
            }
            ValueDef::BlockParam(..) => {
                open.extend(sources.get(&value).into_iter().flatten().copied());
            }
            ValueDef::Const(_) | ValueDef::FunctionParam(_) => {}
        }
    }
    found
}

/// The operands of an instruction that a property may depend on by themselves: where it
/// touches memory, and what it states.
fn judged(data: &InstData) -> Vec<Value> {
    match data.effect() {
        Effect::Memory => data.accesses().iter().map(|(_, access)| access.offset).collect(),
        Effect::Statement => data.values(),
        Effect::None
        | Effect::MayFail
        | Effect::Barrier(_)
        | Effect::Exchange
        | Effect::Fence
        | Effect::WaitsForCopies
        | Effect::Call(_)
        | Effect::CallUnknown => vec![],
    }
}
