//! Constructs that the encoding does not cover make a kernel unproven.

use duet_ir::{AnnotationKind, Block, Cause, Inst, InstData, Rule};

use super::copies::has_foreign_copies;
use super::frames::is_verified;
use crate::check::Check;
use crate::report::{Construct, Why};

impl Check<'_, '_> {
    /// What about an instruction is not covered, if anything.
    fn unmodelled(&self, block: Block, inst: Inst) -> Option<Construct> {
        use AnnotationKind::*;
        match &self.facts.func.insts[inst] {
            InstData::AsyncCopy { .. } if has_foreign_copies(self.facts) => {
                Some(Construct::AsyncCopies)
            }
            InstData::CallUnknown { name, .. } if name == duet_ir::ASYNCHRONOUS_COPY => {
                Some(Construct::AsyncCopies)
            }
            // SOUNDNESS: it may touch any memory (`a_function_without_a_body_may_write` in duet's tests).
            InstData::CallUnknown { .. } => Some(Construct::FunctionsWithoutBody),
            InstData::Fresh { cause: Cause::AssumedFunction(_), .. } if self.options.strict => {
                Some(Construct::FunctionsWithoutBody)
            }
            InstData::Fresh { cause: Cause::BeyondTable(_), .. } if self.options.strict => {
                Some(Construct::FunctionTables)
            }
            InstData::Call { .. } => Some(Construct::Calls),
            InstData::Annotation { kind: Ensures | GlobalEnsures, .. } => {
                Some(Construct::Postconditions)
            }
            InstData::Annotation { kind: ReadsFrom | WritesTo, .. } => {
                (!is_verified(self.facts)).then_some(Construct::Footprints)
            }
            _ if self.facts.may_miss_lanes(block, inst) => Some(Construct::ComputedMasks),
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
            | InstData::AsyncCopy { .. }
            | InstData::WaitEvents { .. }
            | InstData::Assert { .. }
            | InstData::Annotation { .. }
            | InstData::Ghost { .. } => None,
        }
    }

    /// Constructs that the encoding does not cover make the kernel unproven.
    pub(crate) fn reject_unmodelled(&mut self) {
        let func = self.facts.func;
        for &block in &func.layout {
            for &inst in &func.blocks[block].insts {
                if let Some(what) = self.unmodelled(block, inst) {
                    self.report(Rule::NotModelled, inst, None, Why::NotModelled(what));
                }
            }
        }
        if !self.facts.loops.is_reducible()
            && let Some(&inst) = func.layout.iter().flat_map(|&b| &func.blocks[b].insts).next()
        {
            self.report(
                Rule::NotModelled,
                inst,
                None,
                Why::NotModelled(Construct::IrreducibleLoops),
            );
        }
    }
}
