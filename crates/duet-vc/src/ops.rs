//! Operations on scalars as terms.

use duet_ir::{BinaryOp, CastOp, FloatCc, IntCc, Type, UnaryOp};
use duet_smt::{Sort, TermId, TermPool};

/// The sort of values of a type.
pub fn sort_of(ty: Type) -> Sort {
    match ty {
        Type::Int(1) => Sort::Bool,
        Type::Ref => Sort::BitVec(32),
        Type::Int(_) | Type::Float(_) => {
            Sort::BitVec(ty.bits().expect("a scalar type has a width"))
        }
    }
}

/// The truth value as a bit-vector of width 1; others as they are.
pub fn to_bits(pool: &mut TermPool, term: TermId) -> TermId {
    if pool.sort(term) != Sort::Bool {
        return term;
    }
    let (one, zero) = (pool.bv(1, 1), pool.bv(1, 0));
    pool.ite(term, one, zero)
}

/// A bit-vector as a value of the type: of width 1, a truth value.
pub fn from_bits(pool: &mut TermPool, term: TermId, ty: Type) -> TermId {
    if ty != Type::BOOL || pool.sort(term) == Sort::Bool {
        return term;
    }
    let one = pool.bv(1, 1);
    pool.eq(term, one)
}

/// A constant of a type.
pub fn constant(pool: &mut TermPool, bits: u128, ty: Type) -> TermId {
    match sort_of(ty) {
        Sort::Bool => pool.bool(bits & 1 == 1),
        sort @ Sort::BitVec(_)
        | sort @ Sort::Int
        | sort @ Sort::Named(_)
        | sort @ Sort::Array { .. } => pool.bv(sort.width().expect("bits"), bits),
    }
}

/// A function about which only its name is known.
pub fn uninterpreted(pool: &mut TermPool, name: &str, args: &[TermId], ty: Type) -> TermId {
    let sorts: Vec<Sort> = args.iter().map(|&arg| pool.sort(arg)).collect();
    // Overloads of one name are different functions.
    let signature: Vec<String> = sorts.iter().map(Sort::to_string).collect();
    let result = sort_of(ty);
    let function = pool.func(&format!("{name}({}){result}", signature.join(",")), &sorts, result);
    pool.apply(function, args)
}

/// A binary operation.
pub fn binary(pool: &mut TermPool, op: BinaryOp, a: TermId, b: TermId, ty: Type) -> TermId {
    if op.is_float() {
        // SOUNDNESS: no function of the source has a name like this
        // (kernels/soundness/34-function-named-fadd).
        return uninterpreted(pool, &format!("{}.op", op.name()), &[a, b], ty);
    }
    if ty == Type::BOOL {
        return boolean(pool, op, a, b);
    }
    integer(pool, op, a, b)
}

fn boolean(pool: &mut TermPool, op: BinaryOp, a: TermId, b: TermId) -> TermId {
    use BinaryOp::*;
    match op {
        Add | Sub | Xor => {
            let equal = pool.eq(a, b);
            pool.not(equal)
        }
        Mul | And => pool.and2(a, b),
        Or => pool.or2(a, b),
        UDiv | SDiv | URem | SRem | Shl | LShr | AShr | FAdd | FSub | FMul | FDiv | FRem => {
            let (x, y) = (to_bits(pool, a), to_bits(pool, b));
            let bits = integer(pool, op, x, y);
            from_bits(pool, bits, Type::BOOL)
        }
    }
}

fn integer(pool: &mut TermPool, op: BinaryOp, a: TermId, b: TermId) -> TermId {
    match op {
        BinaryOp::Add => pool.bits().add(a, b),
        BinaryOp::Sub => pool.bits().sub(a, b),
        BinaryOp::Mul => pool.bits().mul(a, b),
        BinaryOp::UDiv => pool.bits().udiv(a, b),
        BinaryOp::SDiv => pool.bits().sdiv(a, b),
        BinaryOp::URem => pool.bits().urem(a, b),
        BinaryOp::SRem => pool.bits().srem(a, b),
        BinaryOp::Shl => pool.bits().shl(a, b),
        BinaryOp::LShr => pool.bits().lshr(a, b),
        BinaryOp::AShr => pool.bits().ashr(a, b),
        BinaryOp::And => pool.bits().and(a, b),
        BinaryOp::Or => pool.bits().or(a, b),
        BinaryOp::Xor => pool.bits().xor(a, b),
        BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::FRem => {
            unreachable!("float operations are uninterpreted")
        }
    }
}

/// A unary operation.
pub fn unary(pool: &mut TermPool, op: UnaryOp, arg: TermId, ty: Type) -> TermId {
    let bits = to_bits(pool, arg);
    let width = pool.width(bits);
    let result = match op {
        UnaryOp::FNeg => {
            let sign = pool.bv(width, 1 << (width - 1));
            pool.bits().xor(bits, sign)
        }
        UnaryOp::PopCount => pop_count(pool, bits, width),
        UnaryOp::CountLeadingZeros => first_set(pool, bits, width, true),
        UnaryOp::CountTrailingZeros => first_set(pool, bits, width, false),
        UnaryOp::ReverseBits => rearrange(pool, bits, width, 1),
        UnaryOp::SwapBytes => rearrange(pool, bits, width, 8),
    };
    from_bits(pool, result, ty)
}

fn pop_count(pool: &mut TermPool, bits: TermId, width: u32) -> TermId {
    let parts: Vec<TermId> = (0..width)
        .map(|index| {
            let bit = pool.bits().extract(index, index, bits);
            pool.bits().zero_extend(width - 1, bit)
        })
        .collect();
    pool.bits().sum(&parts)
}

/// Zeros before the first set bit, from the top or from the bottom.
fn first_set(pool: &mut TermPool, bits: TermId, width: u32, from_top: bool) -> TermId {
    let mut result = pool.bv(width, u128::from(width));
    for distance in (0..width).rev() {
        let index = if from_top { width - 1 - distance } else { distance };
        let bit = pool.bits().extract(index, index, bits);
        let one = pool.bv(1, 1);
        let is_set = pool.eq(bit, one);
        let here = pool.bv(width, u128::from(distance));
        result = pool.ite(is_set, here, result);
    }
    result
}

/// Pieces of `size` bits in reverse order.
fn rearrange(pool: &mut TermPool, bits: TermId, width: u32, size: u32) -> TermId {
    let mut result = pool.bits().extract(size - 1, 0, bits);
    for low in (size..width).step_by(size as usize) {
        let piece = pool.bits().extract(low + size - 1, low, bits);
        result = pool.bits().concat(result, piece);
    }
    result
}

/// A conversion.
pub fn cast(pool: &mut TermPool, op: CastOp, arg: TermId, from: Type, to: Type) -> TermId {
    let width = to.bits().expect("a scalar type");
    match op {
        CastOp::Trunc | CastOp::ZExt | CastOp::Bitcast => {
            let bits = to_bits(pool, arg);
            let resized = pool.bits().zext_or_trunc(bits, width);
            from_bits(pool, resized, to)
        }
        CastOp::SExt => {
            let bits = to_bits(pool, arg);
            let resized = pool.bits().sext_or_trunc(bits, width);
            from_bits(pool, resized, to)
        }
        CastOp::FToU
        | CastOp::FToUSat
        | CastOp::FToSSat
        | CastOp::FToS
        | CastOp::UToF
        | CastOp::SToF
        | CastOp::FTrunc
        | CastOp::FExt => uninterpreted(pool, &format!("{op}.{from}.{to}"), &[arg], to),
    }
}

/// An integer or reference comparison.
pub fn compare(pool: &mut TermPool, cc: IntCc, a: TermId, b: TermId) -> TermId {
    let (a, b) = match cc {
        IntCc::Eq | IntCc::Ne => (a, b),
        IntCc::Ult
        | IntCc::Ule
        | IntCc::Ugt
        | IntCc::Uge
        | IntCc::Slt
        | IntCc::Sle
        | IntCc::Sgt
        | IntCc::Sge => (to_bits(pool, a), to_bits(pool, b)),
    };
    match cc {
        IntCc::Eq => pool.eq(a, b),
        IntCc::Ne => pool.ne(a, b),
        IntCc::Ult => pool.compare().ult(a, b),
        IntCc::Ule => pool.compare().ule(a, b),
        IntCc::Ugt => pool.compare().ugt(a, b),
        IntCc::Uge => pool.compare().uge(a, b),
        IntCc::Slt => pool.compare().slt(a, b),
        IntCc::Sle => pool.compare().sle(a, b),
        IntCc::Sgt => pool.compare().sgt(a, b),
        IntCc::Sge => pool.compare().sge(a, b),
    }
}

/// A float comparison: a function of its operands, and no more is known.
pub fn float_compare(pool: &mut TermPool, cc: FloatCc, a: TermId, b: TermId) -> TermId {
    uninterpreted(pool, &format!("fcmp.{cc}"), &[a, b], Type::BOOL)
}
