//! Inline PTX: the statements in the table of docs/frontend.md, and no others.

use duet_ir::{AssertKind, BarrierScope, Diagnostic, FenceScope, InstData, Terminator, Type};

use super::function::FunctionTranslator;
use crate::llvm::{self, Val};

impl FunctionTranslator<'_> {
    /// Translates a call of an assembly text.
    pub fn inline_assembly(&mut self, call: Val) -> Result<(), Diagnostic> {
        let text = llvm::assembly_text(call.callee());
        let statements: Vec<&str> =
            text.split(';').map(str::trim).filter(|statement| !statement.is_empty()).collect();
        match statements[..] {
            [] => Ok(()),
            [statement] => self.assembly_statement(call, statement),
            _ => Err(self.unknown_assembly(&text)),
        }
    }

    fn assembly_statement(&mut self, call: Val, statement: &str) -> Result<(), Diagnostic> {
        let words: Vec<&str> =
            statement.split([' ', '\t', ',', '\n']).filter(|word| !word.is_empty()).collect();
        match words[..] {
            ["bar.sync" | "barrier.sync" | "barrier.cta.sync", "0"] => {
                let flags = self.builder.int(3, Type::I32);
                self.builder
                    .inst(InstData::Barrier { scope: BarrierScope::Block, arg: Some(flags) });
            }
            ["bar.warp.sync", "$0"] => {
                let mask = self.scalar(call.operand(0))?;
                self.builder.inst(InstData::Barrier { scope: BarrierScope::Warp, arg: Some(mask) });
            }
            ["membar.cta" | "fence.acq_rel.cta" | "fence.sc.cta"] => {
                self.memory_fence(FenceScope::Block);
            }
            ["membar.gl" | "fence.acq_rel.gpu" | "fence.sc.gpu"] => {
                self.memory_fence(FenceScope::Device);
            }
            ["membar.sys" | "fence.acq_rel.sys" | "fence.sc.sys"] => {
                self.memory_fence(FenceScope::System);
            }
            ["trap"] => self.fail(AssertKind::Trap),
            ["exit"] => {
                self.builder.terminate(Terminator::Return(vec![]));
                let dead = self.builder.make_block();
                self.builder.switch_to(dead);
            }
            ["mov.u32" | "mov.b32" | "mov.s32" | "mov.u64" | "mov.b64", "$0", register] => {
                let name = register.trim_start_matches('%');
                let value = name
                    .len()
                    .lt(&register.len())
                    .then(|| self.special_register(name))
                    .flatten()
                    .ok_or_else(|| self.unknown_assembly(statement))?;
                let Some(result) = self.scalar_result(call)? else {
                    return Err(self.unknown_assembly(statement));
                };
                let value = self.builder.resize(value, result.ty, false);
                self.define_scalar(call, value);
            }
            _ => return Err(self.unknown_assembly(statement)),
        }
        Ok(())
    }

    fn unknown_assembly(&self, text: &str) -> Diagnostic {
        self.unsupported(
            format!("inline PTX `{}`", text.trim()),
            "use the CUDA intrinsic for it; docs/frontend.md lists the PTX that is understood",
        )
    }
}
