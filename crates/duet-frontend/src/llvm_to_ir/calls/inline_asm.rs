//! Inline PTX: the statements in the table of docs/frontend.md, and no others.

use duet_ir::{
    AssertKind, BarrierScope, Diagnostic, FenceScope, InstData, Terminator, Type, Value,
};

use super::llvm_intrinsics::special_register;
use super::ptx::{self, Transfer};
use crate::layout::LeafKind;
use crate::llvm::{self, Val};
use crate::llvm_to_ir::memory::Accesses;
use crate::llvm_to_ir::values::{Leaf, Values};

/// Translates inline assembly.
pub struct InlineAssembly<'c, 't> {
    pub values: &'c mut Values<'t>,
    pub accesses: &'c mut Accesses,
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
            [] => return self.empty_assembly(call, &constraints),
            [statement] => {
                if let Some(transfer) = ptx::transfer(statement) {
                    return self.transfer(call, &transfer, statement);
                }
            }
            _ => {}
        }
        if self.computing(call, &text)? {
            return Ok(());
        }
        match statements[..] {
            [statement] => self.assembly_statement(call, statement),
            _ => Err(self.unknown_assembly(&text)),
        }
    }

    /// Translates a text that only computes: its results are functions of the operands, of
    /// the name that the text is.
    fn computing(&mut self, call: Val, text: &str) -> Result<bool, Diagnostic> {
        let Some(meaning) = ptx::computing(text).filter(|_| !call.ty().is_void()) else {
            return Ok(false);
        };
        let Some(args) = self.values.scalar_arguments(call)? else { return Ok(false) };
        let args: Vec<_> = args.into_iter().flatten().collect();
        let name = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut leaves = vec![];
        for (number, kind) in self.values.leaf_kinds(call.ty())?.into_iter().enumerate() {
            leaves.push(match kind {
                LeafKind::Scalar(ty) if meaning.is_function => {
                    let name = format!("ptx {number}: {name}");
                    let args = args.clone();
                    Leaf::Scalar(self.values.builder.value(InstData::Pure { name, args, ty }))
                }
                kind => self.values.fresh_leaf(kind, "result of inline assembly"),
            });
        }
        self.values.define(call, leaves);
        Ok(true)
    }

    /// Translates a load or a store through a pointer that is an operand.
    fn transfer(
        &mut self,
        call: Val,
        transfer: &Transfer,
        statement: &str,
    ) -> Result<(), Diagnostic> {
        let results = match call.ty().is_void() {
            true => vec![],
            false => self.values.leaf_kinds(call.ty())?,
        };
        // Operands are counted with the results first; a call has those after them alone.
        let operand = |number: u32| {
            let index = (number as usize).checked_sub(results.len())?;
            call.arguments().get(index).copied()
        };
        let address = operand(transfer.address).filter(|address| {
            self.values
                .leaf_kind(address.ty())
                .is_ok_and(|kind| matches!(kind, LeafKind::Pointer(_)))
        });
        let Some(address) = address else { return Err(self.unknown_assembly(statement)) };
        let bytes = transfer.ty.bytes().unwrap_or(1) * transfer.elements.len() as u32;
        let place = self.accesses.place(self.values, address, bytes)?;
        let place = place.at_offset(&mut self.values.builder, transfer.offset);
        if transfer.is_store {
            let mut stored = vec![];
            for &element in &transfer.elements {
                let value = operand(element).ok_or_else(|| self.unknown_assembly(statement))?;
                let value = self.values.scalar(value)?;
                stored.push(self.fitting(value, transfer.ty, false, statement)?);
            }
            return self.accesses.store_lanes(self.values, &place, stored);
        }
        let in_order = transfer.elements.iter().copied().eq(0..results.len() as u32);
        if !in_order {
            return Err(self.unknown_assembly(statement));
        }
        let lanes = transfer.elements.len() as u32;
        self.accesses.cached = transfer.is_cached;
        let loaded = self.accesses.load_lanes(self.values, &place, transfer.ty, lanes)?;
        self.accesses.cached = false;
        let mut leaves = vec![];
        for (value, kind) in loaded.into_iter().zip(results) {
            let LeafKind::Scalar(ty) = kind else { return Err(self.unknown_assembly(statement)) };
            leaves.push(Leaf::Scalar(self.fitting(value, ty, transfer.is_signed, statement)?));
        }
        self.values.define(call, leaves);
        Ok(())
    }

    /// A value in the type that is wanted: an integer of another width is cut or extended.
    fn fitting(
        &mut self,
        value: Value,
        to: Type,
        is_signed: bool,
        statement: &str,
    ) -> Result<Value, Diagnostic> {
        let from = self.values.builder.func.type_of(value);
        match (from, to) {
            _ if from == to => Ok(value),
            (Type::Int(_), Type::Int(_)) => Ok(self.values.builder.resize(value, to, is_signed)),
            _ => Err(self.unknown_assembly(statement)),
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
