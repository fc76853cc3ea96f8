//! Inline PTX: the statements in the table of docs/frontend.md, and no others.

use duet_ir::{AssertKind, BarrierScope, Diagnostic, FenceScope, InstData, Terminator, Type};

use super::llvm_intrinsics::special_register;
use crate::llvm::{self, Val};
use crate::llvm_to_ir::values::Values;

/// Translates inline assembly.
pub struct InlineAssembly<'c, 't> {
    pub values: &'c mut Values<'t>,
}

impl InlineAssembly<'_, '_> {
    /// Translates a call of an assembly text.
    pub fn call(&mut self, call: Val) -> Result<(), Diagnostic> {
        let text = llvm::assembly_text(call.callee());
        let constraints = llvm::assembly_constraints(call.callee());
        // SOUNDNESS: what a statement leaves in memory is not modelled
        // (`assembly_with_an_operand_in_memory` in tests/rejected.rs).
        if constraints.split(',').any(|constraint| constraint.contains('*')) {
            return Err(self.values.unsupported(
                "inline assembly with an operand in memory",
                "pass the value in a register (\"r\", \"=r\") and load or store it in the source",
            ));
        }
        let statements: Vec<&str> =
            text.split(';').map(str::trim).filter(|statement| !statement.is_empty()).collect();
        match statements[..] {
            [] => self.empty_assembly(call, &constraints),
            [statement] => self.assembly_statement(call, statement),
            _ => Err(self.unknown_assembly(&text)),
        }
    }

    /// Assembly without a statement hides a value from the optimiser. What it yields is
    /// the operand that shares its register (`"+r"`), and unknown without one.
    fn empty_assembly(&mut self, call: Val, constraints: &str) -> Result<(), Diagnostic> {
        if call.ty().is_void() {
            return Ok(());
        }
        let is_operand = |constraint: &&str| !constraint.starts_with('~');
        let operands: Vec<&str> = constraints.split(',').filter(is_operand).collect();
        let outputs = operands.iter().filter(|operand| operand.starts_with('=')).count();
        let tied = (outputs == 1)
            .then(|| operands[1..].iter().position(|&operand| operand == "0"))
            .flatten()
            .map(|index| call.operand(index as u32));
        let leaves = match tied {
            Some(input) if input.ty() == call.ty() => self.values.leaves(input)?,
            _ => {
                let kinds = self.values.leaf_kinds(call.ty())?;
                let cause = "result of inline assembly";
                kinds.into_iter().map(|kind| self.values.fresh_leaf(kind, cause)).collect()
            }
        };
        self.values.define(call, leaves);
        Ok(())
    }

    fn assembly_statement(&mut self, call: Val, statement: &str) -> Result<(), Diagnostic> {
        let words: Vec<&str> =
            statement.split([' ', '\t', ',', '\n']).filter(|word| !word.is_empty()).collect();
        // Of what is understood, a move alone has a result.
        if !call.ty().is_void() && !words.first().is_some_and(|word| word.starts_with("mov.")) {
            return Err(self.unknown_assembly(statement));
        }
        match words[..] {
            ["bar.sync" | "barrier.sync" | "barrier.cta.sync", "0"] => {
                let flags = self.values.builder.int(3, Type::I32);
                self.values
                    .builder
                    .inst(InstData::Barrier { scope: BarrierScope::Block, arg: Some(flags) });
            }
            ["bar.warp.sync", "$0"] => {
                let mask = self.values.scalar(call.operand(0))?;
                self.values
                    .builder
                    .inst(InstData::Barrier { scope: BarrierScope::Warp, arg: Some(mask) });
            }
            ["membar.cta" | "fence.acq_rel.cta" | "fence.sc.cta"] => {
                self.values.memory_fence(FenceScope::Block);
            }
            ["membar.gl" | "fence.acq_rel.gpu" | "fence.sc.gpu"] => {
                self.values.memory_fence(FenceScope::Device);
            }
            ["membar.sys" | "fence.acq_rel.sys" | "fence.sc.sys"] => {
                self.values.memory_fence(FenceScope::System);
            }
            ["trap"] => self.values.fail(AssertKind::Trap),
            ["exit"] => {
                self.values.builder.terminate(Terminator::Return(vec![]));
                let dead = self.values.builder.make_block();
                self.values.builder.switch_to(dead);
            }
            ["mov.u32" | "mov.b32" | "mov.s32" | "mov.u64" | "mov.b64", "$0", register] => {
                let name = register.trim_start_matches('%');
                let value = name
                    .len()
                    .lt(&register.len())
                    .then(|| special_register(self.values, name))
                    .flatten()
                    .ok_or_else(|| self.unknown_assembly(statement))?;
                let result = self.values.scalar_result(call)?.filter(|result| result.count == 1);
                let Some(result) = result.filter(|result| result.ty.is_int()) else {
                    return Err(self.unknown_assembly(statement));
                };
                let value = self.values.builder.resize(value, result.ty, false);
                self.values.define_scalar(call, value);
            }
            _ => return Err(self.unknown_assembly(statement)),
        }
        Ok(())
    }

    fn unknown_assembly(&self, text: &str) -> Diagnostic {
        self.values.unsupported(
            format!("inline PTX `{}`", text.trim()),
            "use the CUDA intrinsic for it; docs/frontend.md lists the PTX that is understood",
        )
    }
}
