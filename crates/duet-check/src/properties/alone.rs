//! What must hold of each thread by itself, without a partner.

use duet_ask::Question;
use duet_ir::{AssertKind, Inst, InstData, Rule};
use duet_smt::solver::SolverError;

use crate::check::Check;
use crate::report::{Construct, Why};

impl Check<'_, '_> {
    /// Assertions, divisions, pointers.
    pub(crate) fn check_alone(&mut self) -> Result<(), SolverError> {
        let walk = self.walker.walk_alone();
        let facts = self.walker.facts_alone();
        for obligation in &walk.obligations {
            let rule = self.rule_of(obligation.inst);
            if obligation.not_expressible && self.facts.is_about_two_threads(obligation.inst) {
                continue;
            }
            if obligation.not_expressible {
                let why = Why::NotModelled(Construct::AssertionsAboutOthers);
                self.report(rule, obligation.inst, None, why);
                continue;
            }
            let mut given = facts.clone();
            given.extend(walk.facts_at(obligation.at));
            let question = Question {
                given,
                when: vec![obligation.guard],
                goal: vec![self.walker.pool.not(obligation.holds)],
                places: vec![obligation.inst],
                ..Question::about(rule.id())
            };
            if let Some(open) = self.ask(&question)? {
                self.report_open(rule, obligation.inst, None, open);
            }
        }
        Ok(())
    }

    fn rule_of(&self, inst: Inst) -> Rule {
        match &self.facts.func.insts[inst] {
            InstData::Assert { kind: AssertKind::Pointer, .. } => Rule::InvalidPointer,
            InstData::Assert { kind: AssertKind::ConstantWrite, .. } => Rule::ConstantWrite,
            InstData::Assert { kind: AssertKind::Bounds, .. } => Rule::OutOfBounds,
            InstData::Assert { .. } => Rule::AssertionFailed,
            InstData::Exchange { .. } | InstData::Barrier { .. } => Rule::MaskExcludesSelf,
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
            | InstData::BarrierReduce { .. }
            | InstData::Fence { .. }
            | InstData::AsyncCopy { .. }
            | InstData::WaitEvents { .. }
            | InstData::Annotation { .. }
            | InstData::Ghost { .. }
            | InstData::Call { .. }
            | InstData::CallUnknown { .. } => Rule::DivisionByZero,
        }
    }
}
