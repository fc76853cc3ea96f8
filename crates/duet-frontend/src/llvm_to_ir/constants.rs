//! Constants: as values of the IR, and as bytes in memory.

use duet_ir::{Const, Diagnostic, Type};
use inkwell::llvm_sys::prelude::LLVMModuleRef;
use inkwell::llvm_sys::{LLVMOpcode, LLVMTypeKind, LLVMValueKind};

use super::Home;
use super::arithmetic::Arithmetic;
use super::values::{Leaf, Pointer, Values};
use crate::layout::{self, LeafKind};
use crate::llvm::{Ty, Val};
use crate::prepare::{field_offset, size_of};

/// Reads constants.
pub struct Constants<'v, 't> {
    pub values: &'v mut Values<'t>,
}

impl<'t> Constants<'_, 't> {
    fn computed(&mut self) -> Arithmetic<'_, 't> {
        Arithmetic { values: self.values }
    }

    /// The leaves of a constant.
    pub fn leaves(&mut self, value: Val) -> Result<Vec<Leaf>, Diagnostic> {
        use LLVMValueKind::*;
        match value.kind() {
            LLVMUndefValueValueKind | LLVMPoisonValueKind => self.undefined(value.ty()),
            LLVMConstantAggregateZeroValueKind
            | LLVMConstantPointerNullValueKind
            | LLVMConstantTargetNoneValueKind => self.zero(value.ty()),
            LLVMGlobalVariableValueKind | LLVMFunctionValueKind => self.global_address(value),
            LLVMConstantExprValueKind => self.constant_expression(value),
            LLVMConstantIntValueKind | LLVMConstantFPValueKind => {
                let LeafKind::Scalar(ty) = self.values.leaf_kind(value.ty())? else {
                    return Err(self
                        .values
                        .unsupported("a constant of pointer type", "rewrite it"));
                };
                let bits = scalar_bits(value).unwrap_or(0);
                Ok(vec![Leaf::Scalar(self.values.builder.int(bits, ty))])
            }
            _ => self.aggregate(value),
        }
    }

    fn aggregate(&mut self, value: Val) -> Result<Vec<Leaf>, Diagnostic> {
        let count = element_count(value.ty());
        let mut leaves = vec![];
        for index in 0..count {
            let Some(element) = value.element(index as u32) else {
                return Err(self.values.unsupported("a constant of an unknown form", "rewrite it"));
            };
            leaves.extend(self.leaves(element)?);
        }
        Ok(leaves)
    }

    /// An unknown of each leaf's type, new at each use.
    fn undefined(&mut self, ty: Ty) -> Result<Vec<Leaf>, Diagnostic> {
        let kinds = self.values.leaf_kinds(ty)?;
        Ok(kinds.into_iter().map(|kind| self.values.fresh_leaf(kind, "undefined value")).collect())
    }

    fn zero(&mut self, ty: Ty) -> Result<Vec<Leaf>, Diagnostic> {
        let kinds = self.values.leaf_kinds(ty)?;
        Ok(kinds.into_iter().map(|kind| self.zero_leaf(kind)).collect())
    }

    fn zero_leaf(&mut self, kind: LeafKind) -> Leaf {
        match kind {
            LeafKind::Scalar(ty) => Leaf::Scalar(self.values.builder.int(0, ty)),
            LeafKind::Pointer(_) => Leaf::Pointer(Pointer {
                reference: self.values.builder.func.constant(Const::Null, Type::Ref),
                offset: self.values.builder.offset(0),
            }),
        }
    }

    fn global_address(&mut self, global: Val) -> Result<Vec<Leaf>, Diagnostic> {
        let Some(array) = self.values.arrays().at(Home::Variable(global)) else {
            return Err(self
                .values
                .unsupported(format!("the variable `{}`", global.name()), "rewrite it"));
        };
        Ok(vec![Leaf::Pointer(Pointer {
            reference: self.values.builder.func.constant(Const::Array(array), Type::Ref),
            offset: self.values.builder.offset(0),
        })])
    }

    fn constant_expression(&mut self, value: Val) -> Result<Vec<Leaf>, Diagnostic> {
        use LLVMOpcode::*;
        match value.const_opcode() {
            LLVMGetElementPtr => self.computed().address_arithmetic(value),
            LLVMAddrSpaceCast => self.values.leaves(value.operand(0)),
            LLVMBitCast => self.computed().bitcast(value),
            LLVMPtrToInt => self.computed().pointer_to_int(value),
            LLVMIntToPtr => self.computed().int_to_pointer(value),
            LLVMTrunc => self.computed().cast(duet_ir::CastOp::Trunc, value),
            LLVMAdd => self.computed().binary(duet_ir::BinaryOp::Add, value),
            LLVMSub => self.computed().binary(duet_ir::BinaryOp::Sub, value),
            LLVMXor => self.computed().binary(duet_ir::BinaryOp::Xor, value),
            other => Err(self
                .values
                .unsupported(format!("a constant expression ({other:?})"), "rewrite it")),
        }
    }
}

/// Elements of an aggregate or vector type.
fn element_count(ty: Ty) -> u64 {
    match ty.kind() {
        LLVMTypeKind::LLVMStructTypeKind => ty.fields().len() as u64,
        _ => ty.len(),
    }
}

/// The bits of a constant number.
fn scalar_bits(value: Val) -> Option<u128> {
    value.const_bits().or_else(|| crate::llvm::float_bits(value))
}

/// The bytes of a constant in memory; `None` if it contains addresses or is too
/// large to keep.
pub fn bytes(llvm: LLVMModuleRef, value: Val) -> Option<Vec<u8>> {
    const MAX: u64 = 1 << 20;
    let size = size_of(llvm, value.ty());
    if size > MAX {
        return None;
    }
    let mut bytes = vec![0; size as usize];
    fill(llvm, value, &mut bytes)?;
    Some(bytes)
}

fn fill(llvm: LLVMModuleRef, value: Val, bytes: &mut [u8]) -> Option<()> {
    use LLVMValueKind::*;
    match value.kind() {
        LLVMConstantAggregateZeroValueKind | LLVMConstantPointerNullValueKind => Some(()),
        LLVMConstantIntValueKind | LLVMConstantFPValueKind => {
            let bits = scalar_bits(value)?.to_le_bytes();
            let count = bytes.len().min(bits.len());
            bytes[..count].copy_from_slice(&bits[..count]);
            Some(())
        }
        LLVMConstantExprValueKind
        | LLVMGlobalVariableValueKind
        | LLVMFunctionValueKind
        | LLVMUndefValueValueKind
        | LLVMPoisonValueKind => None,
        _ => fill_elements(llvm, value, bytes),
    }
}

fn fill_elements(llvm: LLVMModuleRef, value: Val, bytes: &mut [u8]) -> Option<()> {
    let ty = value.ty();
    for index in 0..element_count(ty) {
        let element = value.element(index as u32)?;
        let start = match ty.kind() {
            LLVMTypeKind::LLVMStructTypeKind => field_offset(llvm, ty, index as u32),
            _ => index * layout::element_stride(llvm, ty),
        } as usize;
        let end = start + size_of(llvm, element.ty()) as usize;
        fill(llvm, element, bytes.get_mut(start..end)?)?;
    }
    Some(())
}
