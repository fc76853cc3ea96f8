//! Instructions that compute values. Memory is in [`super::memory`], calls in
//! [`super::calls`].

use duet_ir::{
    BinaryOp, CastOp, Const, Diagnostic, FloatCc, FunctionBuilder, InstData, IntCc, Type, UnaryOp,
    Value,
};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::{LLVMIntPredicate, LLVMOpcode, LLVMRealPredicate, LLVMTypeKind};

use super::values::{Leaf, Pointer, Values};
use crate::layout::LeafKind;
use crate::llvm::{self, Ty, Val};
use crate::prepare::{field_offset, size_of};

/// Translates instructions that compute values.
pub struct Arithmetic<'v, 't> {
    pub values: &'v mut Values<'t>,
}

impl Arithmetic<'_, '_> {
    /// What an instruction yields that neither touches memory nor ends a block.
    pub fn instruction(&mut self, inst: Val) -> Result<Vec<Leaf>, Diagnostic> {
        use LLVMOpcode::*;
        match inst.opcode() {
            LLVMGetElementPtr => self.address_arithmetic(inst),
            LLVMBitCast => self.bitcast(inst),
            LLVMAddrSpaceCast | LLVMFreeze => self.values.leaves(inst.operand(0)),
            LLVMPtrToInt => self.pointer_to_int(inst),
            LLVMIntToPtr => self.int_to_pointer(inst),
            LLVMICmp => self.int_compare(inst),
            LLVMFCmp => self.float_compare(inst),
            LLVMSelect => self.select(inst),
            LLVMFNeg => self.unary(UnaryOp::FNeg, inst),
            LLVMExtractValue => self.extract_value(inst),
            LLVMInsertValue => self.insert_value(inst),
            LLVMExtractElement => self.extract_element(inst),
            LLVMInsertElement => self.insert_element(inst),
            LLVMShuffleVector => self.shuffle(inst),
            opcode => self.arithmetic(opcode, inst),
        }
    }

    fn arithmetic(&mut self, opcode: LLVMOpcode, inst: Val) -> Result<Vec<Leaf>, Diagnostic> {
        if let Some(op) = binary_op(opcode) {
            return self.binary(op, inst);
        }
        if let Some(op) = cast_op(opcode) {
            return self.cast(op, inst);
        }
        let what = match opcode {
            LLVMOpcode::LLVMIndirectBr => "a computed goto".to_string(),
            LLVMOpcode::LLVMVAArg => "variable arguments in a kernel".to_string(),
            LLVMOpcode::LLVMInvoke | LLVMOpcode::LLVMLandingPad | LLVMOpcode::LLVMResume => {
                "exceptions".to_string()
            }
            other => format!("the LLVM instruction {other:?}"),
        };
        Err(self.values.unsupported(what, "rewrite this statement"))
    }

    /// A binary operation, lane by lane.
    pub fn binary(&mut self, op: BinaryOp, inst: Val) -> Result<Vec<Leaf>, Diagnostic> {
        let (a, b) = (self.values.scalars(inst.operand(0))?, self.values.scalars(inst.operand(1))?);
        let may_overflow =
            matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Shl);
        // SAFETY: an addition, subtraction, multiplication or shift has this flag.
        let nsw = may_overflow && inst.is_instruction() && unsafe { LLVMGetNSW(inst.0) != 0 };
        Ok(a.into_iter()
            .zip(b)
            .map(|(a, b)| Leaf::Scalar(self.values.builder.binary_flagged(op, nsw, a, b)))
            .collect())
    }

    fn unary(&mut self, op: UnaryOp, inst: Val) -> Result<Vec<Leaf>, Diagnostic> {
        let args = self.values.scalars(inst.operand(0))?;
        Ok(args.into_iter().map(|arg| Leaf::Scalar(self.values.builder.unary(op, arg))).collect())
    }

    /// A conversion, lane by lane.
    pub fn cast(&mut self, op: CastOp, inst: Val) -> Result<Vec<Leaf>, Diagnostic> {
        let args = self.values.scalars(inst.operand(0))?;
        let kinds = self.values.leaf_kinds(inst.ty())?;
        Ok(args
            .into_iter()
            .zip(kinds)
            .map(|(arg, kind)| match kind {
                LeafKind::Scalar(to) => Leaf::Scalar(self.values.builder.cast(op, arg, to)),
                LeafKind::Pointer(_) => Leaf::Scalar(arg),
            })
            .collect())
    }

    fn int_compare(&mut self, inst: Val) -> Result<Vec<Leaf>, Diagnostic> {
        // SAFETY: the instruction is an `icmp`.
        let cc = int_cc(unsafe { LLVMGetICmpPredicate(inst.0) });
        let (a, b) = (self.values.leaves(inst.operand(0))?, self.values.leaves(inst.operand(1))?);
        Ok(a.into_iter().zip(b).map(|pair| Leaf::Scalar(self.compare_leaves(cc, pair))).collect())
    }

    fn compare_leaves(&mut self, cc: IntCc, pair: (Leaf, Leaf)) -> Value {
        match pair {
            (Leaf::Scalar(a), Leaf::Scalar(b)) => self.values.builder.compare(cc, a, b),
            (Leaf::Pointer(a), Leaf::Pointer(b)) => self.compare_pointers(cc, a, b),
            _ => unreachable!("operands of a comparison have one type"),
        }
    }

    /// Pointers into one array are compared by their offsets, others by their
    /// addresses, of which nothing is known. Null and the addresses of functions are
    /// like nothing else.
    ///
    /// SOUNDNESS: which of two arrays comes first is not known, nor, if names may
    /// alias, that they differ (kernels/soundness/31-pointer-order, 32-pointer-equal).
    fn compare_pointers(&mut self, cc: IntCc, a: Pointer, b: Pointer) -> Value {
        let same_array = self.values.builder.compare(IntCc::Eq, a.reference, b.reference);
        // SOUNDNESS: offsets are distances from the start, and one below it is negative
        // (kernels/soundness/55-below-the-start).
        let by_offset = self.values.builder.compare(as_signed(cc), a.offset, b.offset);
        if self.values.builder.func.const_bits(same_array) == Some(1) {
            return by_offset;
        }
        let is_unlike =
            |pointer: Pointer| match self.values.builder.func.const_of(pointer.reference) {
                Some(Const::Null) => true,
                Some(Const::Array(array)) => {
                    self.values.builder.module.arrays[array].size == Some(0)
                }
                _ => false,
            };
        let by_address = match cc {
            IntCc::Eq | IntCc::Ne if is_unlike(a) || is_unlike(b) => {
                self.values.builder.bool(cc == IntCc::Ne)
            }
            _ => {
                let (a, b) = (self.values.int_from_pointer(a), self.values.int_from_pointer(b));
                self.values.builder.compare(cc, a, b)
            }
        };
        self.values.builder.select(same_array, by_offset, by_address)
    }

    fn float_compare(&mut self, inst: Val) -> Result<Vec<Leaf>, Diagnostic> {
        // SAFETY: the instruction is an `fcmp`.
        let predicate = unsafe { LLVMGetFCmpPredicate(inst.0) };
        let (a, b) = (self.values.scalars(inst.operand(0))?, self.values.scalars(inst.operand(1))?);
        Ok(a.into_iter()
            .zip(b)
            .map(|(a, b)| {
                Leaf::Scalar(match predicate {
                    LLVMRealPredicate::LLVMRealPredicateFalse => self.values.builder.bool(false),
                    LLVMRealPredicate::LLVMRealPredicateTrue => self.values.builder.bool(true),
                    _ => {
                        let cc = float_cc(predicate);
                        self.values.builder.value(InstData::FloatCompare { cc, args: [a, b] })
                    }
                })
            })
            .collect())
    }

    fn select(&mut self, inst: Val) -> Result<Vec<Leaf>, Diagnostic> {
        let conds = self.values.scalars(inst.operand(0))?;
        let (a, b) = (self.values.leaves(inst.operand(1))?, self.values.leaves(inst.operand(2))?);
        let only = self.values.targets(inst).only();
        Ok(a.into_iter()
            .zip(b)
            .enumerate()
            .map(|(lane, (a, b))| {
                let cond = if conds.len() == 1 { conds[0] } else { conds[lane] };
                self.select_leaf(cond, a, b, only)
            })
            .collect())
    }

    fn select_leaf(&mut self, cond: Value, a: Leaf, b: Leaf, only: Option<duet_ir::Array>) -> Leaf {
        match (a, b) {
            (Leaf::Scalar(a), Leaf::Scalar(b)) => {
                Leaf::Scalar(self.values.builder.select(cond, a, b))
            }
            (Leaf::Pointer(a), Leaf::Pointer(b)) => {
                let reference = match only {
                    Some(array) => {
                        self.values.builder.func.constant(duet_ir::Const::Array(array), Type::Ref)
                    }
                    None => self.values.builder.select(cond, a.reference, b.reference),
                };
                let offset = self.values.builder.select(cond, a.offset, b.offset);
                Leaf::Pointer(Pointer { reference, offset })
            }
            _ => unreachable!("operands of a select have one type"),
        }
    }

    /// `getelementptr`: adds the scaled indices to the offset.
    pub fn address_arithmetic(&mut self, gep: Val) -> Result<Vec<Leaf>, Diagnostic> {
        let base = self.values.pointer(gep.operand(0))?;
        let mut offset = base.offset;
        // SAFETY: the value is a `getelementptr`.
        let mut ty = Ty(unsafe { LLVMGetGEPSourceElementType(gep.0) });
        for (position, index) in gep.operands().skip(1).enumerate() {
            if position > 0 && ty.kind() == LLVMTypeKind::LLVMStructTypeKind {
                let field = index.const_u64().unwrap_or(0) as u32;
                let bytes = self.values.builder.offset(field_offset(self.values.llvm(), ty, field));
                offset = self.values.builder.add(offset, bytes);
                ty = ty.fields()[field as usize];
                continue;
            }
            if position > 0 {
                ty = ty.element();
            }
            offset = self.add_scaled(offset, index, size_of(self.values.llvm(), ty))?;
        }
        Ok(vec![Leaf::Pointer(Pointer { reference: base.reference, offset })])
    }

    fn add_scaled(&mut self, offset: Value, index: Val, size: u64) -> Result<Value, Diagnostic> {
        let index = self.values.scalar(index)?;
        let pointer_type = self.values.builder.module.pointer_type();
        let index = self.values.builder.resize(index, pointer_type, true);
        let size = self.values.builder.offset(size);
        let bytes = self.values.builder.mul(index, size);
        Ok(self.values.builder.add(offset, bytes))
    }

    /// The same bits at another type: concatenated and cut again where the lanes
    /// differ in number. Little-endian, as both targets are.
    pub fn bitcast(&mut self, inst: Val) -> Result<Vec<Leaf>, Diagnostic> {
        let from = self.values.leaves(inst.operand(0))?;
        let to = self.values.leaf_kinds(inst.ty())?;
        if from.len() == to.len() {
            return Ok(from
                .into_iter()
                .zip(to)
                .map(|pair| match pair {
                    (Leaf::Scalar(value), LeafKind::Scalar(ty)) => {
                        Leaf::Scalar(self.values.builder.cast(CastOp::Bitcast, value, ty))
                    }
                    (leaf, _) => leaf,
                })
                .collect());
        }
        let values = self.values.scalars(inst.operand(0))?;
        let bytes: Vec<Value> = values
            .into_iter()
            .flat_map(|value| split_bytes(&mut self.values.builder, value))
            .collect();
        let mut at = 0;
        let mut leaves = vec![];
        for kind in to {
            let LeafKind::Scalar(ty) = kind else {
                return Err(self
                    .values
                    .unsupported("a cast of a vector to pointers", "rewrite it"));
            };
            let count = ty.bytes().unwrap_or(1) as usize;
            let Some(part) = bytes.get(at..at + count) else {
                return Err(self
                    .values
                    .unsupported("a cast between vectors of bits", "rewrite it"));
            };
            let value = join_bytes(&mut self.values.builder, part, ty);
            leaves.push(Leaf::Scalar(value));
            at += count;
        }
        Ok(leaves)
    }

    /// A pointer as a number.
    pub fn pointer_to_int(&mut self, inst: Val) -> Result<Vec<Leaf>, Diagnostic> {
        let pointer = self.values.pointer(inst.operand(0))?;
        let number = self.values.int_from_pointer(pointer);
        let LeafKind::Scalar(ty) = self.values.leaf_kind(inst.ty())? else {
            return Err(self.values.unsupported("a cast of pointers in a vector", "rewrite it"));
        };
        Ok(vec![Leaf::Scalar(self.values.builder.resize(number, ty, false))])
    }

    /// A number as a pointer.
    pub fn int_to_pointer(&mut self, inst: Val) -> Result<Vec<Leaf>, Diagnostic> {
        let number = self.values.scalar(inst.operand(0))?;
        let pointer_type = self.values.builder.module.pointer_type();
        let number = self.values.builder.resize(number, pointer_type, false);
        Ok(vec![Leaf::Pointer(self.values.pointer_from_int(number))])
    }

    /// The range of leaves that constant indices select.
    fn leaf_range(&self, aggregate: Ty, inst: Val) -> Result<(usize, usize), Diagnostic> {
        let (mut start, mut ty) = (0, aggregate);
        for index in llvm::indices(inst) {
            let fields = match ty.kind() {
                LLVMTypeKind::LLVMStructTypeKind => ty.fields(),
                _ => vec![ty.element(); ty.len() as usize],
            };
            for field in &fields[..index as usize] {
                start += self.values.leaf_kinds(*field)?.len();
            }
            ty = fields[index as usize];
        }
        Ok((start, start + self.values.leaf_kinds(ty)?.len()))
    }

    fn extract_value(&mut self, inst: Val) -> Result<Vec<Leaf>, Diagnostic> {
        let (start, end) = self.leaf_range(inst.operand(0).ty(), inst)?;
        Ok(self.values.leaves(inst.operand(0))?[start..end].to_vec())
    }

    fn insert_value(&mut self, inst: Val) -> Result<Vec<Leaf>, Diagnostic> {
        let (start, end) = self.leaf_range(inst.ty(), inst)?;
        let mut leaves = self.values.leaves(inst.operand(0))?;
        let new = self.values.leaves(inst.operand(1))?;
        leaves.splice(start..end, new);
        Ok(leaves)
    }

    fn extract_element(&mut self, inst: Val) -> Result<Vec<Leaf>, Diagnostic> {
        let lanes = self.values.leaves(inst.operand(0))?;
        if let Some(index) = inst.operand(1).const_u64() {
            return match lanes.get(index as usize) {
                Some(&lane) => Ok(vec![lane]),
                None => self.constant_undefined(inst.ty()),
            };
        }
        let lanes = self.values.scalars(inst.operand(0))?;
        let index = self.values.scalar(inst.operand(1))?;
        let ty = self.values.builder.func.type_of(index);
        let mut picked = lanes[lanes.len() - 1];
        for (number, &lane) in lanes.iter().enumerate().rev().skip(1) {
            let number = self.values.builder.int(number as u128, ty);
            let here = self.values.builder.compare(IntCc::Eq, index, number);
            picked = self.values.builder.select(here, lane, picked);
        }
        Ok(vec![Leaf::Scalar(picked)])
    }

    fn constant_undefined(&mut self, ty: Ty) -> Result<Vec<Leaf>, Diagnostic> {
        let kinds = self.values.leaf_kinds(ty)?;
        Ok(kinds.into_iter().map(|kind| self.values.fresh_leaf(kind, "undefined value")).collect())
    }

    fn insert_element(&mut self, inst: Val) -> Result<Vec<Leaf>, Diagnostic> {
        let new = self.values.leaves(inst.operand(1))?[0];
        if let Some(index) = inst.operand(2).const_u64() {
            let mut lanes = self.values.leaves(inst.operand(0))?;
            if let Some(lane) = lanes.get_mut(index as usize) {
                *lane = new;
            }
            return Ok(lanes);
        }
        let lanes = self.values.scalars(inst.operand(0))?;
        let (new, index) =
            (self.values.scalar(inst.operand(1))?, self.values.scalar(inst.operand(2))?);
        let ty = self.values.builder.func.type_of(index);
        Ok(lanes
            .into_iter()
            .enumerate()
            .map(|(number, lane)| {
                let number = self.values.builder.int(number as u128, ty);
                let here = self.values.builder.compare(IntCc::Eq, index, number);
                Leaf::Scalar(self.values.builder.select(here, new, lane))
            })
            .collect())
    }

    fn shuffle(&mut self, inst: Val) -> Result<Vec<Leaf>, Diagnostic> {
        let mut lanes = self.values.leaves(inst.operand(0))?;
        lanes.extend(self.values.leaves(inst.operand(1))?);
        let kinds = self.values.leaf_kinds(inst.ty())?;
        // SAFETY: a `shufflevector` has a mask value for each lane of its result.
        let mask = (0..kinds.len()).map(|lane| unsafe { LLVMGetMaskValue(inst.0, lane as u32) });
        Ok(mask
            .zip(kinds)
            .map(|(source, kind)| match lanes.get(source as usize) {
                Some(&lane) if source >= 0 => lane,
                _ => self.values.fresh_leaf(kind, "undefined value"),
            })
            .collect())
    }
}

/// The bytes of a number, lowest first.
pub fn split_bytes(b: &mut FunctionBuilder<'_>, value: Value) -> Vec<Value> {
    let ty = b.func.type_of(value);
    let width = ty.bits().unwrap_or(8);
    let bits = b.cast(CastOp::Bitcast, value, Type::Int(width as u8));
    (0..width.div_ceil(8))
        .map(|byte| {
            let shift = b.int(u128::from(byte * 8), Type::Int(width as u8));
            let shifted = b.binary(BinaryOp::LShr, bits, shift);
            b.resize(shifted, Type::I8, false)
        })
        .collect()
}

/// The number with these bytes, lowest first.
pub fn join_bytes(b: &mut FunctionBuilder<'_>, bytes: &[Value], ty: Type) -> Value {
    let wide = Type::Int((bytes.len() * 8) as u8);
    let mut joined = b.int(0, wide);
    for (index, &byte) in bytes.iter().enumerate() {
        let extended = b.resize(byte, wide, false);
        let shift = b.int(index as u128 * 8, wide);
        let placed = b.binary(BinaryOp::Shl, extended, shift);
        joined = b.binary(BinaryOp::Or, joined, placed);
    }
    match ty {
        Type::Int(_) => b.resize(joined, ty, false),
        _ => b.cast(CastOp::Bitcast, joined, ty),
    }
}

fn binary_op(opcode: LLVMOpcode) -> Option<BinaryOp> {
    use LLVMOpcode::*;
    Some(match opcode {
        LLVMAdd => BinaryOp::Add,
        LLVMSub => BinaryOp::Sub,
        LLVMMul => BinaryOp::Mul,
        LLVMUDiv => BinaryOp::UDiv,
        LLVMSDiv => BinaryOp::SDiv,
        LLVMURem => BinaryOp::URem,
        LLVMSRem => BinaryOp::SRem,
        LLVMShl => BinaryOp::Shl,
        LLVMLShr => BinaryOp::LShr,
        LLVMAShr => BinaryOp::AShr,
        LLVMAnd => BinaryOp::And,
        LLVMOr => BinaryOp::Or,
        LLVMXor => BinaryOp::Xor,
        LLVMFAdd => BinaryOp::FAdd,
        LLVMFSub => BinaryOp::FSub,
        LLVMFMul => BinaryOp::FMul,
        LLVMFDiv => BinaryOp::FDiv,
        LLVMFRem => BinaryOp::FRem,
        _ => return None,
    })
}

fn cast_op(opcode: LLVMOpcode) -> Option<CastOp> {
    use LLVMOpcode::*;
    Some(match opcode {
        LLVMTrunc => CastOp::Trunc,
        LLVMZExt => CastOp::ZExt,
        LLVMSExt => CastOp::SExt,
        LLVMFPToUI => CastOp::FToU,
        LLVMFPToSI => CastOp::FToS,
        LLVMUIToFP => CastOp::UToF,
        LLVMSIToFP => CastOp::SToF,
        LLVMFPTrunc => CastOp::FTrunc,
        LLVMFPExt => CastOp::FExt,
        _ => return None,
    })
}

fn int_cc(predicate: LLVMIntPredicate) -> IntCc {
    use LLVMIntPredicate::*;
    match predicate {
        LLVMIntEQ => IntCc::Eq,
        LLVMIntNE => IntCc::Ne,
        LLVMIntUGT => IntCc::Ugt,
        LLVMIntUGE => IntCc::Uge,
        LLVMIntULT => IntCc::Ult,
        LLVMIntULE => IntCc::Ule,
        LLVMIntSGT => IntCc::Sgt,
        LLVMIntSGE => IntCc::Sge,
        LLVMIntSLT => IntCc::Slt,
        LLVMIntSLE => IntCc::Sle,
    }
}

/// The comparison of signed numbers that goes with one of unsigned ones.
fn as_signed(cc: IntCc) -> IntCc {
    match cc {
        IntCc::Ult => IntCc::Slt,
        IntCc::Ule => IntCc::Sle,
        IntCc::Ugt => IntCc::Sgt,
        IntCc::Uge => IntCc::Sge,
        other => other,
    }
}

fn float_cc(predicate: LLVMRealPredicate) -> FloatCc {
    use LLVMRealPredicate::*;
    match predicate {
        LLVMRealOEQ => FloatCc::Oeq,
        LLVMRealOGT => FloatCc::Ogt,
        LLVMRealOGE => FloatCc::Oge,
        LLVMRealOLT => FloatCc::Olt,
        LLVMRealOLE => FloatCc::Ole,
        LLVMRealONE => FloatCc::One,
        LLVMRealORD => FloatCc::Ord,
        LLVMRealUNO => FloatCc::Uno,
        LLVMRealUEQ => FloatCc::Ueq,
        LLVMRealUGT => FloatCc::Ugt,
        LLVMRealUGE => FloatCc::Uge,
        LLVMRealULT => FloatCc::Ult,
        LLVMRealULE => FloatCc::Ule,
        LLVMRealUNE => FloatCc::Une,
        LLVMRealPredicateFalse | LLVMRealPredicateTrue => unreachable!("handled by the caller"),
    }
}
