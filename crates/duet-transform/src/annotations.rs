//! Selection of annotations: those of the source that count, and as what.
//!
//! Annotations are statements without effect on values or memory, so every run executes
//! the same accesses. Without a precondition or an assumption there are more runs, so a
//! proof covers the original's. Without a claim (an invariant, a postcondition) less is
//! proved: the user asked for that by an option. An invariant that becomes a candidate is
//! used only if it is proved, like any guess.
//!
//! SOUNDNESS: an annotation that claims something is checked, or the kernel is not
//! proved. So nothing is dropped here unless an option says so, and an assertion never
//! (file test `files/annotations.duet`).

use duet_ir::{AnnotationKind, InstData, Module, WellFormed};

/// Which annotations of the source count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AnnotationFilter {
    /// All of them.
    #[default]
    All,
    /// Of contracts and invariants only plain preconditions.
    OnlyRequires,
    /// No contracts and no invariants.
    None,
}

/// Which annotations count, and as what.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AnnotationOptions {
    /// Which count.
    pub filter: AnnotationFilter,
    /// Loop invariants are candidates: dropped if they don't hold.
    pub invariants_as_candidates: bool,
}

/// The module with the annotations that count, as what they count.
pub fn select_annotations(module: WellFormed, options: AnnotationOptions) -> WellFormed {
    module.rewrite(|module| select(module, options))
}

/// The module without its claims about memory at barriers. What is read for them is no access,
/// so all else is as before.
pub fn without_claims(module: &WellFormed) -> WellFormed {
    module.clone().rewrite(|module| {
        for func in module.functions.values_mut() {
            for &block in &func.layout {
                let insts = &func.insts;
                func.blocks[block].insts.retain(|&inst| !is_claim(&insts[inst]));
            }
        }
    })
}

fn is_claim(data: &InstData) -> bool {
    use AnnotationKind::{BarrierInvariant, BarrierInvariantBinary, CellInvariant};
    matches!(
        data,
        InstData::Annotation {
            kind: BarrierInvariant | BarrierInvariantBinary | CellInvariant,
            ..
        }
    )
}

fn select(module: &mut Module, options: AnnotationOptions) {
    for func in module.functions.values_mut() {
        for &block in &func.layout {
            let insts = &func.insts;
            func.blocks[block].insts.retain(|&inst| {
                let InstData::Annotation { kind, .. } = &insts[inst] else { return true };
                counts(*kind, options.filter)
            });
        }
        if options.invariants_as_candidates {
            for data in func.insts.values_mut() {
                if let InstData::Annotation { kind, .. } = data {
                    *kind = as_candidate(*kind);
                }
            }
        }
    }
}

fn counts(kind: AnnotationKind, filter: AnnotationFilter) -> bool {
    use AnnotationKind::*;
    match kind {
        Requires => filter != AnnotationFilter::None,
        GlobalRequires
        | Ensures
        | GlobalEnsures
        | Invariant
        | GlobalInvariant
        | CandidateInvariant
        | CandidateGlobalInvariant
        | FunctionWideInvariant
        | FunctionWideCandidateInvariant
        | BarrierInvariant
        | BarrierInvariantBinary
        | CellInvariant => filter == AnnotationFilter::All,
        Assume
        | CandidateAssert
        | CandidateGlobalAssert
        | Axiom
        | Contract
        | Verified
        | ReadsFrom
        | WritesTo
        | ArraySnapshot
        | Captured => true,
    }
}

fn as_candidate(kind: AnnotationKind) -> AnnotationKind {
    use AnnotationKind::*;
    match kind {
        Invariant => CandidateInvariant,
        GlobalInvariant => CandidateGlobalInvariant,
        FunctionWideInvariant => FunctionWideCandidateInvariant,
        Requires
        | GlobalRequires
        | Ensures
        | GlobalEnsures
        | CandidateInvariant
        | CandidateGlobalInvariant
        | FunctionWideCandidateInvariant
        | BarrierInvariant
        | BarrierInvariantBinary
        | CellInvariant
        | Assume
        | CandidateAssert
        | CandidateGlobalAssert
        | Axiom
        | Contract
        | Verified
        | ReadsFrom
        | WritesTo
        | ArraySnapshot
        | Captured => kind,
    }
}
