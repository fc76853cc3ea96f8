//! LLVM's own intrinsics, `llvm.*`.

use duet_ir::{
    AnnotationKind, AssertKind, BinaryOp, CastOp, Diagnostic, Dim, FenceScope, Geometry,
    GeometryKind, InstData, IntCc, Type, UnaryOp, Value,
};

use super::function::{FunctionTranslator, Leaf};
use crate::llvm::Val;

impl FunctionTranslator<'_> {
    /// Translates a call of `llvm.NAME[.TYPES]`.
    pub fn llvm_intrinsic(&mut self, call: Val, symbol: &str) -> Result<(), Diagnostic> {
        let name = symbol.trim_start_matches("llvm.");
        if let Some(nvvm) = name.strip_prefix("nvvm.") {
            return self.nvvm_intrinsic(call, nvvm);
        }
        let base = name.split('.').next().unwrap_or(name);
        match base {
            "dbg" => {
                if name.starts_with("dbg.value") {
                    self.note_variable(call);
                }
                Ok(())
            }
            "lifetime" | "invariant" | "experimental" | "stackrestore" | "prefetch"
            | "donothing" => Ok(()),
            "assume" => self.assume(call),
            "trap" | "debugtrap" | "ubsantrap" => {
                self.fail(AssertKind::Trap);
                Ok(())
            }
            "memcpy" | "memmove" => self.copy_memory(call),
            "memset" => self.set_memory(call),
            "expect" => {
                let leaves = self.leaves(call.operand(0))?;
                self.define(call, leaves);
                Ok(())
            }
            "is" if name.starts_with("is.constant") => {
                let no = self.builder.bool(false);
                self.define_scalars(call, vec![no]);
                Ok(())
            }
            _ if name.contains(".with.overflow.") => self.with_overflow(call, base),
            _ => self.lane_wise_intrinsic(call, name, base),
        }
    }

    /// An assumption of the source (`__builtin_assume`). SOUNDNESS: one that no
    /// source line wrote comes from an optimisation, and none may add any.
    fn assume(&mut self, call: Val) -> Result<(), Diagnostic> {
        let cond = self.scalar(call.operand(0))?;
        if self.builder.func.const_bits(cond) == Some(1) {
            return Ok(());
        }
        if call.debug_loc().is_none() {
            return Err(self.unsupported(
                "an assumption that no source line wrote",
                "this is a defect of Duet: please report it",
            ));
        }
        self.builder.inst(InstData::Annotation { kind: AnnotationKind::Assume, args: vec![cond] });
        Ok(())
    }

    /// Arithmetic that also tells whether it overflowed.
    fn with_overflow(&mut self, call: Val, base: &str) -> Result<(), Diagnostic> {
        let (a, b) = (self.scalar(call.operand(0))?, self.scalar(call.operand(1))?);
        let signed = base.starts_with('s');
        let op = match &base[1..] {
            "add" => BinaryOp::Add,
            "sub" => BinaryOp::Sub,
            _ => BinaryOp::Mul,
        };
        let ty = self.builder.func.type_of(a);
        let width = ty.bits().unwrap_or(32);
        if width > 62 && op == BinaryOp::Mul && width * 2 > 128 {
            return Err(self.unsupported("a checked product of this width", "use fewer bits"));
        }
        let wide = Type::Int((width * 2).min(128) as u8);
        let (wide_a, wide_b) =
            (self.builder.resize(a, wide, signed), self.builder.resize(b, wide, signed));
        let exact = self.builder.binary(op, wide_a, wide_b);
        let result = self.builder.binary(op, a, b);
        let back = self.builder.resize(result, wide, signed);
        let overflow = self.builder.compare(IntCc::Ne, exact, back);
        self.define_scalars(call, vec![result, overflow]);
        Ok(())
    }

    /// Intrinsics that work on each lane by itself.
    fn lane_wise_intrinsic(&mut self, call: Val, name: &str, base: &str) -> Result<(), Diagnostic> {
        let Some(result) = self.scalar_result(call)? else {
            return Err(self.unsupported(format!("the intrinsic llvm.{name}"), "rewrite it"));
        };
        let mut args = vec![];
        for argument in call.arguments() {
            args.push(self.scalars(argument)?);
        }
        let mut values = vec![];
        for lane in 0..result.count {
            let lane_args: Vec<Value> =
                args.iter().map(|arg| if arg.len() == 1 { arg[0] } else { arg[lane] }).collect();
            match self.lane(base, &lane_args, result.ty) {
                Some(value) => values.push(value),
                None => {
                    return Err(
                        self.unsupported(format!("the intrinsic llvm.{name}"), "rewrite it")
                    );
                }
            }
        }
        self.define_scalars(call, values);
        Ok(())
    }

    fn lane(&mut self, base: &str, args: &[Value], ty: Type) -> Option<Value> {
        let b = &mut self.builder;
        Some(match (base, args) {
            ("ctlz", [x, ..]) => b.unary(UnaryOp::CountLeadingZeros, *x),
            ("cttz", [x, ..]) => b.unary(UnaryOp::CountTrailingZeros, *x),
            ("ctpop", [x]) => b.unary(UnaryOp::PopCount, *x),
            ("bitreverse", [x]) => b.unary(UnaryOp::ReverseBits, *x),
            ("bswap", [x]) => b.unary(UnaryOp::SwapBytes, *x),
            ("abs", [x, ..]) => {
                let zero = b.int(0, ty);
                let negative = b.compare(IntCc::Slt, *x, zero);
                let negated = b.binary(BinaryOp::Sub, zero, *x);
                b.select(negative, negated, *x)
            }
            ("smin" | "smax" | "umin" | "umax", [x, y]) => {
                let cc = match base {
                    "smin" => IntCc::Slt,
                    "smax" => IntCc::Sgt,
                    "umin" => IntCc::Ult,
                    _ => IntCc::Ugt,
                };
                let first = b.compare(cc, *x, *y);
                b.select(first, *x, *y)
            }
            ("fshl" | "fshr", [x, y, s]) => self.funnel_shift(base == "fshl", *x, *y, *s, ty)?,
            ("sadd" | "uadd" | "ssub" | "usub", [x, y]) => self.saturating(base, *x, *y, ty),
            ("fmuladd", [x, y, z]) => {
                let product = b.binary(BinaryOp::FMul, *x, *y);
                b.binary(BinaryOp::FAdd, product, *z)
            }
            ("fptosi", [x]) => b.cast(CastOp::FToS, *x, ty),
            ("fptoui", [x]) => b.cast(CastOp::FToU, *x, ty),
            ("arithmetic", [x]) => *x,
            _ if ty.is_float()
                && args.iter().all(|&arg| {
                    let ty = b.func.type_of(arg);
                    ty.is_float() || ty == Type::I32
                }) =>
            {
                let name = math_name(base, ty);
                b.value(InstData::Pure { name, args: args.to_vec(), ty })
            }
            _ => return None,
        })
    }

    /// Saturating addition and subtraction, computed with one more bit.
    fn saturating(&mut self, base: &str, x: Value, y: Value, ty: Type) -> Value {
        let signed = base.starts_with('s');
        let op = if base.ends_with("add") { BinaryOp::Add } else { BinaryOp::Sub };
        let width = ty.bits().unwrap_or(32);
        let wide = Type::Int((width + 2) as u8);
        let b = &mut self.builder;
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
        b.resize(clamped, ty, false)
    }

    /// `fshl` and `fshr`: the shift amount is taken modulo the width.
    fn funnel_shift(
        &mut self,
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
        let b = &mut self.builder;
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

    /// NVVM intrinsics, as they stand in bitcode made with a CUDA SDK.
    fn nvvm_intrinsic(&mut self, call: Val, name: &str) -> Result<(), Diagnostic> {
        if let Some(register) = name.strip_prefix("read.ptx.sreg.")
            && let Some(value) = self.special_register(register)
        {
            self.define_scalars(call, vec![value]);
            return Ok(());
        }
        if name.starts_with("texsurf.handle") {
            let pointer = self.pointer(call.operand(call.arguments().len() as u32 - 1))?;
            let handle = self.int_from_pointer(pointer);
            let handle = self.builder.resize(handle, Type::I64, false);
            self.define_scalar(call, handle);
            return Ok(());
        }
        match name {
            "barrier0" => {
                let flags = self.builder.int(3, Type::I32);
                let scope = duet_ir::BarrierScope::Block;
                self.builder.inst(InstData::Barrier { scope, arg: Some(flags) });
            }
            "bar.warp.sync" => {
                let mask = self.scalar(call.operand(0))?;
                let scope = duet_ir::BarrierScope::Warp;
                self.builder.inst(InstData::Barrier { scope, arg: Some(mask) });
            }
            "membar.cta" => self.memory_fence(FenceScope::Block),
            "membar.gl" => self.memory_fence(FenceScope::Device),
            "membar.sys" => self.memory_fence(FenceScope::System),
            _ => {
                return Err(self.unsupported(
                    format!("the intrinsic llvm.nvvm.{name}"),
                    "give Duet the CUDA source instead of bitcode",
                ));
            }
        }
        Ok(())
    }

    /// A fence.
    pub fn memory_fence(&mut self, scope: FenceScope) {
        self.builder.inst(InstData::Fence { scope });
    }

    /// A special register of PTX (`tid.x`, `laneid`).
    pub fn special_register(&mut self, register: &str) -> Option<Value> {
        match register {
            "warpsize" => return Some(self.builder.int(32, Type::I32)),
            "laneid" => {
                let flat = self.flat_thread_id();
                let mask = self.builder.int(31, Type::I32);
                return Some(self.builder.binary(BinaryOp::And, flat, mask));
            }
            "clock" | "clock64" | "globaltimer" => {
                let ty = if register == "clock" { Type::I32 } else { Type::I64 };
                return Some(self.builder.value(InstData::Fresh { cause: "clock".into(), ty }));
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
        Some(self.builder.geometry(Geometry { kind, dim }))
    }

    /// The thread's number in its block, x fastest.
    fn flat_thread_id(&mut self) -> Value {
        let get = |this: &mut Self, kind, dim| this.builder.geometry(Geometry { kind, dim });
        let mut flat = get(self, GeometryKind::ThreadId, Dim::Z);
        for dim in [Dim::Y, Dim::X] {
            let size = get(self, GeometryKind::BlockDim, dim);
            let id = get(self, GeometryKind::ThreadId, dim);
            let scaled = self.builder.mul(flat, size);
            flat = self.builder.add(scaled, id);
        }
        flat
    }

    /// Defines a call's single number.
    pub fn define_scalar(&mut self, call: Val, value: Value) {
        self.define(call, vec![Leaf::Scalar(value)]);
    }
}

/// The C name of a float intrinsic: `llvm.sqrt.f32` is `sqrtf`.
fn math_name(base: &str, ty: Type) -> String {
    match (base, ty) {
        ("minnum", _) => "fmin".into(),
        ("maxnum", _) => "fmax".into(),
        (_, Type::F32) => format!("{base}f"),
        _ => base.to_string(),
    }
}
