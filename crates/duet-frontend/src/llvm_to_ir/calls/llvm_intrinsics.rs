//! LLVM's own intrinsics, `llvm.*`; which of them there are: [`super::intrinsic_table`].

use duet_ir::{
    AnnotationKind, AssertKind, BinaryOp, Diagnostic, Dim, FenceScope, FunctionBuilder, Geometry,
    GeometryKind, InstData, IntCc, Type, Value,
};

use super::intrinsic_table::{self, Combine, LaneOp, Meaning, Sign};
use crate::llvm::{self, Val};
use crate::llvm_to_ir::memory::Accesses;
use crate::llvm_to_ir::values::Values;

/// Translates calls of LLVM's own intrinsics.
pub struct LlvmIntrinsics<'c, 't> {
    pub values: &'c mut Values<'t>,
    pub accesses: &'c mut Accesses,
}

impl LlvmIntrinsics<'_, '_> {
    /// Translates a call of `llvm.NAME[.TYPES]`.
    pub fn call(&mut self, call: Val, symbol: &str) -> Result<(), Diagnostic> {
        let Some(name) = llvm::intrinsic_name(call.callee()) else {
            return Err(self.unknown_intrinsic(symbol));
        };
        if let Some(nvvm) = name.strip_prefix("llvm.nvvm.") {
            return self.nvvm_intrinsic(call, nvvm);
        }
        let Some(meaning) = intrinsic_table::meaning(&name) else {
            return Err(self.unknown_intrinsic(symbol));
        };
        if call.arguments().len() < meaning.arguments() {
            return Err(self.unknown_intrinsic(symbol));
        }
        match meaning {
            Meaning::Nothing if call.ty().is_void() => Ok(()),
            Meaning::NameVariable => {
                self.values.note_variable(call);
                Ok(())
            }
            Meaning::Assume => self.assume(call),
            Meaning::Trap => {
                self.values.fail(AssertKind::Trap);
                Ok(())
            }
            Meaning::CopyMemory => self.accesses.copy_memory(self.values, call),
            Meaning::SetMemory => self.accesses.set_memory(self.values, call),
            Meaning::FirstArgument => {
                let leaves = self.values.leaves(call.operand(0))?;
                self.values.define(call, leaves);
                Ok(())
            }
            Meaning::IsConstant => self.is_constant(call),
            Meaning::WithOverflow(op, sign) => self.with_overflow(call, op, sign),
            Meaning::Lanes(op) => self.lane_wise_intrinsic(call, op, symbol),
            Meaning::Reduce(combine) => self.reduce(call, combine, symbol),
            Meaning::Nothing => Err(self.unknown_intrinsic(symbol)),
        }
    }

    fn unknown_intrinsic(&self, symbol: &str) -> Diagnostic {
        self.values.unsupported(format!("the intrinsic {symbol}"), "rewrite it")
    }

    /// `__builtin_constant_p`: up to the optimiser, but the same for all threads.
    fn is_constant(&mut self, call: Val) -> Result<(), Diagnostic> {
        let (name, args) = ("__is_compile_time_constant".to_string(), vec![]);
        let value = self.values.builder.value(InstData::Pure { name, args, ty: Type::BOOL });
        self.values.define_scalar(call, value);
        Ok(())
    }

    /// An assumption of the source (`__builtin_assume`). SOUNDNESS: one that no
    /// source line wrote comes from an optimisation, and none may add any
    /// (`an_assumption_that_no_line_wrote` in tests/rejected.rs).
    fn assume(&mut self, call: Val) -> Result<(), Diagnostic> {
        let cond = self.values.scalar(call.operand(0))?;
        if self.values.builder.func.const_bits(cond) == Some(1) {
            return Ok(());
        }
        if call.debug_loc().is_none() {
            return Err(self.values.unsupported(
                "an assumption that no source line wrote",
                "this is an internal error in Duet: please report it",
            ));
        }
        self.values
            .builder
            .inst(InstData::Annotation { kind: AnnotationKind::Assume, args: vec![cond] });
        Ok(())
    }

    /// Arithmetic that also tells whether it overflowed.
    fn with_overflow(&mut self, call: Val, op: BinaryOp, sign: Sign) -> Result<(), Diagnostic> {
        let (a, b) = (self.values.scalar(call.operand(0))?, self.values.scalar(call.operand(1))?);
        let signed = sign == Sign::Signed;
        let ty = self.values.builder.func.type_of(a);
        let width = ty.bits().unwrap_or(128);
        if width > 64 {
            return Err(self
                .values
                .unsupported("checked arithmetic of this width", "use fewer bits"));
        }
        let wide = Type::Int((width * 2) as u8);
        let (wide_a, wide_b) = (
            self.values.builder.resize(a, wide, signed),
            self.values.builder.resize(b, wide, signed),
        );
        let exact = self.values.builder.binary(op, wide_a, wide_b);
        let result = self.values.builder.binary(op, a, b);
        let back = self.values.builder.resize(result, wide, signed);
        let overflow = self.values.builder.compare(IntCc::Ne, exact, back);
        self.values.define_scalars(call, vec![result, overflow]);
        Ok(())
    }

    /// Intrinsics that work on each lane by itself.
    fn lane_wise_intrinsic(
        &mut self,
        call: Val,
        op: LaneOp,
        symbol: &str,
    ) -> Result<(), Diagnostic> {
        let Some(result) = self.values.scalar_result(call)? else {
            return Err(self.unknown_intrinsic(symbol));
        };
        let mut args = vec![];
        for argument in call.arguments() {
            args.push(self.values.scalars(argument)?);
        }
        // The flag makes no difference where the result for zero is never used.
        if matches!(op, LaneOp::Unary(_)) && args.len() == 2 && is_replaced_at_zero(call) {
            args.pop();
        }
        let mut values = vec![];
        for number in 0..result.count {
            let lane_args: Option<Vec<Value>> = args
                .iter()
                .map(|arg| if arg.len() == 1 { arg.first() } else { arg.get(number) }.copied())
                .collect();
            let value =
                lane_args.and_then(|args| lane(&mut self.values.builder, op, &args, result.ty));
            values.push(value.ok_or_else(|| self.unknown_intrinsic(symbol))?);
        }
        self.values.define_scalars(call, values);
        Ok(())
    }

    /// The lanes of an integer vector combined, the first with the second and so on.
    fn reduce(&mut self, call: Val, combine: Combine, symbol: &str) -> Result<(), Diagnostic> {
        let lanes = self.values.scalars(call.operand(0))?;
        let ty = self.values.scalar_result(call)?.filter(|result| result.count == 1).map(|r| r.ty);
        let is_int = |&lane: &Value| self.values.builder.func.type_of(lane).is_int();
        let fits = ty.is_some_and(|ty| {
            ty.is_int() && lanes.iter().all(|&lane| self.values.builder.func.type_of(lane) == ty)
        });
        if lanes.is_empty() || !fits || !lanes.iter().all(is_int) {
            return Err(self.unknown_intrinsic(symbol));
        }
        let mut combined = lanes[0];
        for &lane in &lanes[1..] {
            combined = match combine {
                Combine::Binary(op) => self.values.builder.binary(op, combined, lane),
                Combine::Pick(cc) => {
                    let first = self.values.builder.compare(cc, combined, lane);
                    self.values.builder.select(first, combined, lane)
                }
            };
        }
        self.values.define_scalar(call, combined);
        Ok(())
    }

    /// NVVM intrinsics, as they stand in bitcode made with a CUDA SDK.
    fn nvvm_intrinsic(&mut self, call: Val, name: &str) -> Result<(), Diagnostic> {
        if let Some(register) = name.strip_prefix("read.ptx.sreg.")
            && let Some(value) = special_register(self.values, register)
        {
            self.values.define_scalars(call, vec![value]);
            return Ok(());
        }
        if matches!(name, "texsurf.handle" | "texsurf.handle.internal") {
            let pointer = self.values.pointer(call.operand(call.arguments().len() as u32 - 1))?;
            let handle = self.values.int_from_pointer(pointer);
            let handle = self.values.builder.resize(handle, Type::I64, false);
            self.values.define_scalar(call, handle);
            return Ok(());
        }
        match name {
            "barrier0" => {
                let flags = self.values.builder.int(3, Type::I32);
                let scope = duet_ir::BarrierScope::Block;
                self.values.builder.inst(InstData::Barrier { scope, arg: Some(flags) });
            }
            "bar.warp.sync" => {
                let mask = self.values.scalar(call.operand(0))?;
                let scope = duet_ir::BarrierScope::Warp;
                self.values.builder.inst(InstData::Barrier { scope, arg: Some(mask) });
            }
            "membar.cta" => self.values.memory_fence(FenceScope::Block),
            "membar.gl" => self.values.memory_fence(FenceScope::Device),
            "membar.sys" => self.values.memory_fence(FenceScope::System),
            _ => {
                return Err(self.values.unsupported(
                    format!("the intrinsic llvm.nvvm.{name}"),
                    "give Duet the CUDA source instead of bitcode",
                ));
            }
        }
        Ok(())
    }
}

/// Do all that use the result of a count choose something else if the operand is zero?
/// Clang writes `__builtin_clzg(x, 32)` so.
fn is_replaced_at_zero(call: Val) -> bool {
    use inkwell::llvm_sys::{LLVMIntPredicate, LLVMOpcode};
    let operand = call.operand(0);
    let is_zero_test = |cond: Val| {
        cond.is_instruction()
            && cond.opcode() == LLVMOpcode::LLVMICmp
            && crate::llvm::predicate(cond) == LLVMIntPredicate::LLVMIntEQ
            && cond.operand(0) == operand
            && cond.operand(1).const_bits() == Some(0)
    };
    crate::llvm::users(call).into_iter().all(|user| {
        user.is_instruction()
            && user.opcode() == LLVMOpcode::LLVMSelect
            && user.operand(1) != call
            && is_zero_test(user.operand(0))
    })
}

/// The value of one lane; `None` if the types do not fit.
fn lane(b: &mut FunctionBuilder<'_>, op: LaneOp, args: &[Value], ty: Type) -> Option<Value> {
    let types: Vec<Type> = args.iter().map(|&arg| b.func.type_of(arg)).collect();
    let ints = ty.is_int() && types.iter().all(|ty| ty.is_int());
    let floats = ty.is_float() && types.iter().all(|&arg| arg == ty);
    Some(match (op, args) {
        (LaneOp::Unary(op), [x]) if ints && types[0] == ty => b.unary(op, *x),
        (LaneOp::Unary(op), [x, undefined]) if ints && types[0] == ty => {
            let (count, zero) = (b.unary(op, *x), b.int(0, ty));
            unless_undefined(b, *x, zero, *undefined, count)
        }
        (LaneOp::Abs, [x, undefined]) if ints && types[0] == ty => {
            let zero = b.int(0, ty);
            let negative = b.compare(IntCc::Slt, *x, zero);
            let negated = b.binary(BinaryOp::Sub, zero, *x);
            let distance = b.select(negative, negated, *x);
            let least = b.int(1 << (ty.bits()? - 1), ty);
            unless_undefined(b, *x, least, *undefined, distance)
        }
        (LaneOp::Pick(cc), [x, y]) if ints && types == [ty; 2] => {
            let first = b.compare(cc, *x, *y);
            b.select(first, *x, *y)
        }
        (LaneOp::Funnel { left }, [x, y, s]) if ints && types == [ty; 3] => {
            funnel_shift(b, left, *x, *y, *s, ty)?
        }
        (LaneOp::Saturating(op, sign), [x, y]) if ints && types == [ty; 2] => {
            saturating(b, op, sign, *x, *y, ty)?
        }
        (LaneOp::Cast(op), [x]) if types[0].is_float() && ty.is_int() => b.cast(op, *x, ty),
        (LaneOp::Same, [x]) if types[0] == ty => *x,
        (LaneOp::Float(name, count), _) if floats && args.len() == count => {
            b.value(InstData::Pure { name: math_name(name, ty), args: args.to_vec(), ty })
        }
        (LaneOp::FloatAndInt(name), [_, _]) if ty.is_float() && types == [ty, Type::I32] => {
            b.value(InstData::Pure { name: math_name(name, ty), args: args.to_vec(), ty })
        }
        _ => return None,
    })
}

/// The result of an intrinsic that a flag makes undefined for one operand.
///
/// SOUNDNESS: no proof may rely on it there (test `flags_that_make_results_undefined`).
fn unless_undefined(
    b: &mut FunctionBuilder<'_>,
    x: Value,
    operand: Value,
    flag: Value,
    result: Value,
) -> Value {
    if b.func.const_bits(flag) == Some(0) {
        return result;
    }
    let ty = b.func.type_of(result);
    let unknown = b.value(InstData::Fresh { cause: "undefined value".into(), ty });
    let is_it = b.compare(IntCc::Eq, x, operand);
    b.select(is_it, unknown, result)
}

/// Saturating addition and subtraction, computed with two more bits.
fn saturating(
    b: &mut FunctionBuilder<'_>,
    op: BinaryOp,
    sign: Sign,
    x: Value,
    y: Value,
    ty: Type,
) -> Option<Value> {
    let signed = sign == Sign::Signed;
    let width = ty.bits().filter(|&width| width <= 64)?;
    let wide = Type::Int((width + 2) as u8);
    let (wx, wy) = (b.resize(x, wide, signed), b.resize(y, wide, signed));
    let exact = b.binary(op, wx, wy);
    let (low, high): (i128, i128) = match signed {
        true => (-(1 << (width - 1)), (1 << (width - 1)) - 1),
        false => (0, (1i128 << width) - 1),
    };
    let (low, high) = (b.int(low as u128, wide), b.int(high as u128, wide));
    let below = b.compare(IntCc::Slt, exact, low);
    let above = b.compare(IntCc::Sgt, exact, high);
    let clamped = b.select(above, high, exact);
    let clamped = b.select(below, low, clamped);
    Some(b.resize(clamped, ty, false))
}

/// `fshl` and `fshr`: the shift amount is taken modulo the width.
fn funnel_shift(
    b: &mut FunctionBuilder<'_>,
    left: bool,
    x: Value,
    y: Value,
    s: Value,
    ty: Type,
) -> Option<Value> {
    let width = ty.bits()?;
    if width > 64 {
        return None;
    }
    let wide = Type::Int((width * 2) as u8);
    let modulus = b.int(u128::from(width), ty);
    let amount = b.binary(BinaryOp::URem, s, modulus);
    let amount = b.resize(amount, wide, false);
    let (high, low) = (b.resize(x, wide, false), b.resize(y, wide, false));
    let shift = b.int(u128::from(width), wide);
    let high = b.binary(BinaryOp::Shl, high, shift);
    let both = b.binary(BinaryOp::Or, high, low);
    Some(if left {
        let shifted = b.binary(BinaryOp::Shl, both, amount);
        let shifted = b.binary(BinaryOp::LShr, shifted, shift);
        b.resize(shifted, ty, false)
    } else {
        let shifted = b.binary(BinaryOp::LShr, both, amount);
        b.resize(shifted, ty, false)
    })
}

/// A special register of PTX (`tid.x`, `laneid`).
pub fn special_register(values: &mut Values<'_>, register: &str) -> Option<Value> {
    let b = &mut values.builder;
    match register {
        "warpsize" => return Some(b.int(32, Type::I32)),
        "laneid" => {
            let flat = flat_thread_id(values);
            let b = &mut values.builder;
            let mask = b.int(31, Type::I32);
            return Some(b.binary(BinaryOp::And, flat, mask));
        }
        "clock" | "clock64" | "globaltimer" => {
            let ty = if register == "clock" { Type::I32 } else { Type::I64 };
            return Some(b.value(InstData::Fresh { cause: "clock".into(), ty }));
        }
        // Where a thread runs; it may change on the way.
        "smid" | "nsmid" | "warpid" | "nwarpid" => {
            return Some(
                b.value(InstData::Fresh { cause: "place in the hardware".into(), ty: Type::I32 }),
            );
        }
        "lanemask_eq" | "lanemask_lt" | "lanemask_le" | "lanemask_gt" | "lanemask_ge" => {
            return Some(lane_mask(values, register.trim_start_matches("lanemask_")));
        }
        _ => {}
    }
    let (kind, dim) = register.split_once('.')?;
    let kind = match kind {
        "tid" => GeometryKind::ThreadId,
        "ctaid" => GeometryKind::BlockId,
        "ntid" => GeometryKind::BlockDim,
        "nctaid" => GeometryKind::GridDim,
        _ => return None,
    };
    let dim = Dim::ALL.into_iter().find(|candidate| candidate.to_string() == dim)?;
    values.in_source.insert(Geometry { kind, dim });
    Some(values.builder.geometry(Geometry { kind, dim }))
}

/// The lanes of the warp that are equal to, below or above this one.
fn lane_mask(values: &mut Values<'_>, which: &str) -> Value {
    let flat = flat_thread_id(values);
    let b = &mut values.builder;
    let last = b.int(31, Type::I32);
    let lane = b.binary(BinaryOp::And, flat, last);
    let (one, ones) = (b.int(1, Type::I32), b.int(u128::from(u32::MAX), Type::I32));
    let equal = b.binary(BinaryOp::Shl, one, lane);
    let below = b.binary(BinaryOp::Sub, equal, one);
    match which {
        "eq" => equal,
        "lt" => below,
        "le" => b.binary(BinaryOp::Or, below, equal),
        "ge" => b.binary(BinaryOp::Xor, below, ones),
        _ => {
            let upto = b.binary(BinaryOp::Or, below, equal);
            b.binary(BinaryOp::Xor, upto, ones)
        }
    }
}

/// The thread's number in its block, x fastest.
fn flat_thread_id(values: &mut Values<'_>) -> Value {
    let get = |values: &mut Values<'_>, kind, dim| {
        values.in_ranks.insert(Geometry { kind, dim });
        values.builder.geometry(Geometry { kind, dim })
    };
    let mut flat = get(values, GeometryKind::ThreadId, Dim::Z);
    for dim in [Dim::Y, Dim::X] {
        let size = get(values, GeometryKind::BlockDim, dim);
        let id = get(values, GeometryKind::ThreadId, dim);
        let scaled = values.builder.mul(flat, size);
        flat = values.builder.add(scaled, id);
    }
    flat
}

/// The C name of a float function at a type: `sqrtf` for `float`.
fn math_name(name: &str, ty: Type) -> String {
    match (name, ty) {
        // The two are known by one name at every type.
        ("fmin" | "fmax", _) => name.into(),
        (_, Type::F32) => format!("{name}f"),
        _ => name.to_string(),
    }
}
