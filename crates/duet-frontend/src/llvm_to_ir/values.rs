//! The values of a function: what each LLVM value is in the IR, so far.

use std::collections::{BTreeSet, HashMap};

use duet_ir::{
    AssertKind, BinaryOp, CastOp, Cause, Diagnostic, FenceScope, FenceSpaces, FunctionBuilder,
    Geometry, Inst, InstData, MemoryOrder, Rule, SourceSpan, Terminator, Value,
};
use inkwell::llvm_sys::LLVMValueKind;
use inkwell::llvm_sys::prelude::LLVMModuleRef;

use super::constants::Constants;
use super::locations::{is_ours, signed_width, variable_name, variable_type};
use super::pointers::points_to::{Targets, of_constant};
use super::{Arrays, Shared};
use crate::layout::{self, LeafKind};
use crate::llvm::{Ty, Val};
use crate::opencl_builtins::Lanes;

/// A scalar part of a translated value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaf {
    /// A number.
    Scalar(Value),
    /// A pointer.
    Pointer(Pointer),
}

/// A translated pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pointer {
    /// The array: a value of type `ref`.
    pub reference: Value,
    /// Byte offset.
    pub offset: Value,
}

/// The values seen so far, and where the next instruction is built.
pub struct Values<'t> {
    pub(super) shared: &'t mut Shared,
    /// Where instructions are built.
    pub builder: FunctionBuilder<'t>,
    pub(super) known: HashMap<Val, Vec<Leaf>>,
    /// Ids and sizes that flattened ranks read.
    pub in_ranks: BTreeSet<Geometry>,
    /// Ids and sizes that the source reads by name.
    pub in_source: BTreeSet<Geometry>,
}

impl Values<'_> {
    /// The leaves of any value.
    pub fn leaves(&mut self, value: Val) -> Result<Vec<Leaf>, Diagnostic> {
        if let Some(leaves) = self.known.get(&value) {
            return Ok(leaves.clone());
        }
        if value.is_constant() {
            return Constants { values: self }.leaves(value);
        }
        let what = match value.kind() {
            LLVMValueKind::LLVMInlineAsmValueKind => "inline assembly used as a value",
            LLVMValueKind::LLVMBasicBlockValueKind => "the address of a label",
            _ => "a value of an unknown kind",
        };
        Err(self.unsupported(what, "rewrite this expression"))
    }

    /// The one number that a value is.
    pub fn scalar(&mut self, value: Val) -> Result<Value, Diagnostic> {
        match self.leaves(value)?.as_slice() {
            [Leaf::Scalar(value)] => Ok(*value),
            _ => Err(self.unsupported("a number was expected here", "rewrite this expression")),
        }
    }

    /// The numbers that a value consists of.
    pub fn scalars(&mut self, value: Val) -> Result<Vec<Value>, Diagnostic> {
        let leaves = self.leaves(value)?;
        leaves
            .into_iter()
            .map(|leaf| match leaf {
                Leaf::Scalar(value) => Ok(value),
                Leaf::Pointer(_) => {
                    Err(self.unsupported("a pointer inside a vector", "use separate variables"))
                }
            })
            .collect()
    }

    /// The one pointer that a value is.
    pub fn pointer(&mut self, value: Val) -> Result<Pointer, Diagnostic> {
        match self.leaves(value)?.as_slice() {
            [Leaf::Pointer(pointer)] => Ok(*pointer),
            _ => Err(self.unsupported("a pointer was expected here", "rewrite this expression")),
        }
    }

    /// Where a pointer-valued LLVM value may point.
    pub fn targets(&self, value: Val) -> Targets {
        of_constant(&self.shared.arrays, value)
            .unwrap_or_else(|| self.shared.points_to.targets(value))
    }

    /// Records the leaves of an instruction.
    pub fn define(&mut self, inst: Val, leaves: Vec<Leaf>) {
        self.known.insert(inst, leaves);
    }

    /// Records the numbers of an instruction.
    pub fn define_scalars(&mut self, inst: Val, values: Vec<Value>) {
        self.define(inst, values.into_iter().map(Leaf::Scalar).collect());
    }

    /// Defines a call's single number.
    pub fn define_scalar(&mut self, call: Val, value: Value) {
        self.define(call, vec![Leaf::Scalar(value)]);
    }

    /// The arrays of the module.
    pub fn arrays(&self) -> &Arrays {
        &self.shared.arrays
    }

    /// The LLVM module.
    pub fn llvm(&self) -> LLVMModuleRef {
        self.shared.llvm
    }

    /// What a type is that is a leaf.
    pub fn leaf_kind(&self, ty: Ty) -> Result<LeafKind, Diagnostic> {
        layout::leaf_kind(ty).map_err(|what| self.unsupported(what, "use another type"))
    }

    /// What the leaves of a type are.
    pub fn leaf_kinds(&self, ty: Ty) -> Result<Vec<LeafKind>, Diagnostic> {
        let leaves = layout::leaves(self.llvm(), ty)
            .map_err(|what| self.unsupported(what, "use another type"))?;
        Ok(leaves.into_iter().map(|leaf| leaf.kind).collect())
    }

    /// An unknown of a leaf's type.
    pub fn fresh_leaf(&mut self, kind: LeafKind, cause: impl Into<Cause>) -> Leaf {
        let cause = cause.into();
        let fresh = |this: &mut Self, ty| this.builder.value(InstData::Fresh { cause, ty });
        match kind {
            LeafKind::Scalar(ty) => Leaf::Scalar(fresh(self, ty)),
            LeafKind::Pointer(_) => {
                let number = fresh(self, self.builder.module.pointer_type());
                Leaf::Pointer(self.pointer_from_int(number))
            }
        }
    }

    /// The place in the source of what is being translated.
    pub fn here(&self) -> Option<SourceSpan> {
        self.builder.module.source_span(self.builder.loc())
    }

    /// An error at the place of what is being translated.
    pub fn unsupported(&self, what: impl Into<String>, help: &str) -> Diagnostic {
        Diagnostic::new(Rule::UnsupportedConstruct, format!("not supported: {}", what.into()))
            .at(self.here())
            .help(help)
    }

    /// The lanes of the result, if it is a number or a vector.
    pub fn scalar_result(&self, call: Val) -> Result<Option<Lanes>, Diagnostic> {
        let kinds = self.leaf_kinds(call.ty())?;
        Ok(match kinds.first() {
            Some(&LeafKind::Scalar(ty)) if kinds.iter().all(|&kind| kind == kinds[0]) => {
                Some(Lanes { ty, count: kinds.len() })
            }
            _ => None,
        })
    }

    /// The lanes of each argument, if all are numbers or vectors.
    pub fn scalar_arguments(
        &mut self,
        call: Val,
    ) -> Result<Option<Vec<Vec<duet_ir::Value>>>, Diagnostic> {
        let mut args = vec![];
        for argument in call.arguments() {
            let leaves = self.leaves(argument)?;
            if leaves.iter().any(|leaf| matches!(leaf, Leaf::Pointer(_))) {
                return Ok(None);
            }
            args.push(self.scalars(argument)?);
        }
        Ok(Some(args))
    }

    /// The number that stands for a pointer in memory.
    pub fn int_from_pointer(&mut self, pointer: Pointer) -> Value {
        let Pointer { reference, offset } = pointer;
        self.builder.value(InstData::PtrToInt { reference, offset })
    }

    /// The pointer that a number stands for.
    pub fn pointer_from_int(&mut self, number: Value) -> Pointer {
        let inst = self.builder.inst(InstData::IntToPtr { arg: number });
        let [reference, offset] = self.builder.func.results_of[inst][..] else {
            unreachable!("two results")
        };
        Pointer { reference, offset }
    }

    /// Notes which source variable a value belongs to.
    pub fn note_variable(&mut self, call: Val) {
        let Some(value) = call.operand(0).md_operands().first().copied().flatten() else { return };
        let Some(name) = variable_name(call.operand(1)) else { return };
        if let Some([Leaf::Scalar(value)]) = self.known.get(&value).map(Vec::as_slice) {
            self.note_conversion(*value, call);
        }
        let Some(leaves) = self.known.get(&value) else { return };
        for leaf in leaves {
            let value = match leaf {
                Leaf::Scalar(value) => *value,
                Leaf::Pointer(pointer) => pointer.offset,
            };
            let func = &mut self.builder.func;
            if func.const_of(value).is_none() && func.names[value].is_none() {
                func.names[value] = Some(name.clone());
            }
        }
    }

    /// Notes that unsigned arithmetic, or a wider number, goes into a signed variable.
    ///
    /// SOUNDNESS: a proof may assume that the value fits only where the assignment
    /// was made, so nothing that could be judged may lie between the two
    /// (kernels/soundness/21-converted-later). What our own headers compute says
    /// nothing about the user's variables.
    fn note_conversion(&mut self, value: Value, call: Val) {
        let here = self.builder.current_block();
        let func = &mut self.builder.func;
        let Some(inst) = func.inst_of(value) else { return };
        let may_not_fit = matches!(
            func.insts[inst],
            InstData::Binary { op: BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, nsw: false, .. }
                | InstData::Cast { op: CastOp::Trunc, .. }
        );
        let ours = call
            .debug_loc()
            .and_then(|node| node.location_file())
            .is_none_or(|(_, name)| is_ours(&name));
        let width = variable_type(call.operand(1)).and_then(signed_width);
        if !may_not_fit || ours || width != func.type_of(value).bits() {
            return;
        }
        let insts = &func.blocks[here].insts;
        let mut later = insts.iter().rev().take_while(|&&other| other != inst);
        let is_value = |other: &Inst| func.insts[*other].is_computation();
        if insts.contains(&inst) && later.all(is_value) {
            func.into_signed[inst] = true;
        }
    }

    /// A fence for all memory that acquires and releases.
    pub fn memory_fence(&mut self, scope: FenceScope) {
        self.ordering_fence(scope, MemoryOrder::AcquireRelease, FenceSpaces::All);
    }

    /// A fence; a relaxed one is none.
    pub fn ordering_fence(&mut self, scope: FenceScope, order: MemoryOrder, spaces: FenceSpaces) {
        if order != MemoryOrder::Relaxed {
            self.builder.inst(InstData::Fence { scope, order, spaces });
        }
    }

    /// An assertion that fails when it is reached.
    pub fn assert_never(&mut self, kind: AssertKind) {
        let never = self.builder.bool(false);
        self.builder.inst(InstData::Assert { kind, cond: never });
    }

    /// Ends the current block in a failure: control does not go on.
    pub fn fail(&mut self, kind: duet_ir::AssertKind) {
        let never = self.builder.bool(false);
        self.builder.inst(InstData::Assert { kind, cond: never });
        self.builder.terminate(Terminator::Halt);
        let dead = self.builder.make_block();
        self.builder.switch_to(dead);
    }
}
