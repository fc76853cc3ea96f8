//! Annotations of the source that claim something: what becomes of those that are not
//! proved or not understood.
//!
//! SOUNDNESS: an annotation that claims something is checked, or the kernel is not proved.
//! Only candidates may be dropped without a word
//! (test `annotations_that_are_not_checked_are_findings`).

use std::collections::BTreeSet;

use duet_analysis::DataDependence;
use duet_infer::holds_at_all_loops;
use duet_ir::{AnnotationKind, Function, GhostKind, Inst, InstData, Rule, ValueDef};
use duet_product::ghosts_of;
use duet_smt::solver::SolverError;
use duet_vc::Source;

use crate::assumptions::applied_operator;
use crate::check::Check;
use crate::properties::logs::{Logs, is_about_logs};
use crate::report::{Construct, Why};

impl Check<'_, '_> {
    /// Annotations that claim something of a kind that is not checked.
    pub(crate) fn reject_annotations(&mut self) {
        use AnnotationKind::*;
        for (inst, kind) in self.annotations() {
            let what = match kind {
                Ensures | GlobalEnsures => Construct::Postconditions,
                ArraySnapshot if self.facts.snapshots.values().any(|one| one.inst == inst) => {
                    continue;
                }
                ArraySnapshot => Construct::ArraySnapshots,
                Requires | GlobalRequires | Assume | Contract
                    if self.names_other_thread(inst) && !self.facts.is_usable_of_two(inst) =>
                {
                    Construct::AssumptionsAboutTheOther
                }
                // SOUNDNESS: what is declared of an operator has a model, but perhaps none in
                // which more is believed of it (kernels/claims/45-axiom-of-operator).
                Requires | GlobalRequires | Assume | Contract | Axiom
                    if names_declared_operator(self.facts.func, inst) =>
                {
                    Construct::AssumptionsAboutOperators
                }
                Requires
                | GlobalRequires
                | Assume
                | Contract
                | CandidateAssert
                | CandidateGlobalAssert
                | Invariant
                | GlobalInvariant
                | CandidateInvariant
                | CandidateGlobalInvariant
                | FunctionWideInvariant
                | FunctionWideCandidateInvariant
                | Axiom
                | Verified
                | BarrierInvariant
                | BarrierInvariantBinary
                | CellInvariant
                | ReadsFrom
                | WritesTo
                | Captured => continue,
            };
            self.report(Rule::NotModelled, inst, None, Why::NotModelled(what));
        }
    }

    /// Does a contract stand for a function? Some thread must be able to meet what it ensures.
    ///
    /// SOUNDNESS: kernels/modular/20-contract-that-nothing-meets.
    pub(crate) fn believes_contracts(&self) -> bool {
        self.annotations().iter().any(|(_, kind)| *kind == AnnotationKind::Contract)
    }

    fn names_other_thread(&self, inst: Inst) -> bool {
        ghosts_of(self.facts.func, inst).contains(&GhostKind::Other)
    }

    /// Loop invariants of the user that are not among those that hold. Returns the lines
    /// of those that speak of another thread, or of logged accesses in a way that cannot
    /// be checked: they are not needed here.
    pub(crate) fn check_user_invariants(&mut self) -> Result<Vec<u32>, SolverError> {
        let mut not_checked = vec![];
        for (inst, kind) in self.annotations() {
            if kind == AnnotationKind::FunctionWideInvariant && is_about_logs(self.facts.func, inst)
            {
                Logs { check: self }.check_function_wide(inst)?;
            } else if kind == AnnotationKind::FunctionWideInvariant
                && !holds_at_all_loops(self.facts, &self.walker.invariants, inst)
            {
                let why = Why::Stated("it may fail at a loop, or cannot be told there".to_string());
                self.report(Rule::InvariantFailed, inst, None, why);
            }
            if !matches!(kind, AnnotationKind::Invariant | AnnotationKind::GlobalInvariant) {
                continue;
            }
            if !self.is_at_a_loop_head(inst) {
                let why = Why::Stated("it is not at the head of a loop".to_string());
                self.report(Rule::MisplacedAnnotation, inst, None, why);
            } else if !self.is_proved_invariant(inst) {
                if is_about_logs(self.facts.func, inst) {
                    if !(Logs { check: self }).check_of_loop(inst)? {
                        self.is_left_to_logs = true;
                        not_checked.extend(self.facts.line_of(inst));
                    }
                    continue;
                }
                if self.names_other_thread(inst) {
                    not_checked.extend(self.facts.line_of(inst));
                    continue;
                }
                let why = Why::Stated("it may fail on arrival or after an iteration".to_string());
                self.report(Rule::InvariantFailed, inst, None, why);
            }
        }
        Ok(not_checked)
    }

    fn annotations(&self) -> Vec<(Inst, AnnotationKind)> {
        let func = self.facts.func;
        let mut list = vec![];
        for inst in func.insts_in_order() {
            if let InstData::Annotation { kind, .. } = &func.insts[inst] {
                list.push((inst, *kind));
            }
        }
        list
    }

    fn is_at_a_loop_head(&self, inst: Inst) -> bool {
        let block = self.facts.block_of(inst);
        self.facts.loops.iter().any(|(_, data)| Some(data.header) == block)
    }

    fn is_proved_invariant(&self, inst: Inst) -> bool {
        let user = Source::User(inst);
        let mut loops = self.facts.loops.iter();
        loops.any(|(id, _)| self.walker.invariants.of(id).iter().any(|known| known.source == user))
    }
}

/// Does what is stated depend on an operator that is declared with laws?
fn names_declared_operator(func: &Function, inst: Inst) -> bool {
    let names: BTreeSet<&str> = func
        .insts_in_order()
        .filter_map(|inst| {
            let InstData::Ghost { kind: GhostKind::Fold, args, .. } = &func.insts[inst] else {
                return None;
            };
            applied_operator(func, args)
        })
        .collect();
    if names.is_empty() {
        return false;
    }
    let sources = DataDependence::of(func, func.insts[inst].values());
    sources.values().any(|value| {
        let ValueDef::Result(inst, _) = func.values[value] else { return false };
        let InstData::Pure { name, .. } = &func.insts[inst] else { return false };
        names.contains(name.as_str())
    })
}
