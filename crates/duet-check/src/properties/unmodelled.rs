//! Constructs that the encoding does not cover make a kernel unproven.

use duet_ir::{AnnotationKind, Block, Inst, InstData};

use crate::check::Check;
use crate::report::Why;

impl Check<'_, '_> {
    /// What about an instruction is not covered, if anything.
    fn unmodelled(&self, block: Block, inst: Inst) -> Option<&'static str> {
        use AnnotationKind::*;
        match &self.facts.func.insts[inst] {
            InstData::AsyncCopy { .. } if self.has_foreign_copies() => Some("asynchronous copies"),
            InstData::CallUnknown { name, .. } if name == duet_ir::ASYNCHRONOUS_COPY => {
                Some("asynchronous copies")
            }
            // SOUNDNESS: it may touch any memory (`a_function_without_a_body_may_write` in duet's tests).
            InstData::CallUnknown { .. } => Some("functions without a body"),
            InstData::Fresh { cause, .. }
                if self.options.strict && cause.ends_with(duet_ir::ASSUMED_FUNCTION) =>
            {
                Some("functions without a body")
            }
            InstData::Call { .. } => Some("calls that are not inlined"),
            InstData::Annotation { kind: Ensures | GlobalEnsures, .. } => Some("postconditions"),
            InstData::Annotation { kind: ReadsFrom | WritesTo, .. } => {
                Some("what a specification says that a function reads and writes")
            }
            InstData::Annotation { kind: BarrierInvariant | BarrierInvariantBinary, .. } => {
                Some("barrier invariants")
            }
            _ if self.facts.may_miss_lanes(block, inst) => {
                Some("computed masks, where lanes of a warp may go different ways")
            }
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
                    self.report("not-modelled", inst, None, Why::NotModelled(what));
                }
            }
        }
        if !self.facts.loops.is_reducible()
            && let Some(&inst) = func.layout.iter().flat_map(|&b| &func.blocks[b].insts).next()
        {
            self.report("not-modelled", inst, None, Why::NotModelled("irreducible loops"));
        }
    }
}
