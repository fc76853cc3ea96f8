//! A function that is verified by itself touches only what its contract names.
//!
//! Its callers see any accesses to the arrays of `__reads_from` and `__writes_to`, and none to
//! others. An array that is written may be read as well.
//!
//! SOUNDNESS: kernels/modular/70-frame-too-small.

use std::collections::BTreeSet;

use duet_ir::{AnnotationKind, Array, Const, InstData, Rule, Space};
use duet_product::KernelFacts;

use crate::check::Check;
use crate::report::Why;

/// Is the function verified by itself, against its contract?
pub(super) fn is_verified(facts: &KernelFacts<'_>) -> bool {
    let is_mark = |data: &InstData| {
        matches!(data, InstData::Annotation { kind: AnnotationKind::Verified, .. })
    };
    facts.func.insts_in_order().any(|inst| is_mark(&facts.func.insts[inst]))
}

/// Every access is one that the contract names.
pub(crate) fn check_frame(check: &mut Check<'_, '_>) {
    let facts = check.facts;
    if !is_verified(facts) {
        return;
    }
    let written = named(facts, AnnotationKind::WritesTo);
    let read: BTreeSet<Array> =
        named(facts, AnnotationKind::ReadsFrom).union(&written).copied().collect();
    for inst in facts.func.insts_in_order() {
        let data = &facts.func.insts[inst];
        for (mode, access) in data.accesses() {
            let array = &facts.module.arrays[access.array];
            let (listed, verb) = match mode.may_write() {
                false => (&read, "reads"),
                true => (&written, "writes"),
            };
            let is_own = matches!(array.space, Space::Private);
            if !access.ghost && !is_own && !listed.contains(&access.array) {
                let why = format!("it {verb} `{}`, which its contract does not name", array.name);
                check.report(Rule::ContractUnproven, inst, None, Why::Stated(why));
            }
        }
    }
}

/// The arrays that clauses of a kind name.
fn named(facts: &KernelFacts<'_>, wanted: AnnotationKind) -> BTreeSet<Array> {
    let mut arrays = BTreeSet::new();
    for inst in facts.func.insts_in_order() {
        if let InstData::Annotation { kind, args } = &facts.func.insts[inst]
            && *kind == wanted
            && let Some(Const::Array(array)) =
                args.first().and_then(|&arg| facts.func.const_of(arg))
        {
            arrays.insert(array);
        }
    }
    arrays
}
