//! Values of contracts: exact integers, IEEE floats, and unknown values.

use duet_ir::{Array, ScalarType};
use duet_spec::BinaryOp;

/// A value. Truth values are the integers 0 and 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Val {
    /// An integer.
    Int(i128),
    /// A float.
    Float(f32),
    /// A double.
    Double(f64),
    /// An array.
    Array(Array, ScalarType),
    /// Unknown: a division by zero, a number beyond 128 bits, an unknown function.
    Unknown,
}

impl Val {
    /// A truth value.
    pub fn of_bool(truth: Option<bool>) -> Val {
        truth.map_or(Val::Unknown, |truth| Val::Int(i128::from(truth)))
    }

    /// Is it true, if that is known?
    pub fn truth(self) -> Option<bool> {
        self.int().map(|number| number != 0)
    }

    /// The integer that it is.
    pub fn int(self) -> Option<i128> {
        match self {
            Val::Int(number) => Some(number),
            Val::Float(_) | Val::Double(_) | Val::Array(..) | Val::Unknown => None,
        }
    }

    /// Bits of a type of C as a value.
    pub fn from_bits(bits: u128, ty: ScalarType) -> Val {
        let width = 8 * ty.bytes();
        let cut = bits & (u128::MAX >> (128 - width));
        match ty {
            ScalarType::Float => Val::Float(f32::from_bits(cut as u32)),
            ScalarType::Double => Val::Double(f64::from_bits(cut as u64)),
            ScalarType::Half => Val::Unknown,
            ScalarType::Bool => Val::Int((cut & 1) as i128),
            _ if ty.is_signed() => {
                let unused = 128 - width;
                Val::Int(((cut << unused) as i128) >> unused)
            }
            ScalarType::Char
            | ScalarType::UChar
            | ScalarType::Short
            | ScalarType::UShort
            | ScalarType::Int
            | ScalarType::UInt
            | ScalarType::Long
            | ScalarType::ULong => Val::Int(cut as i128),
        }
    }

    /// The conversion of C to a type.
    pub fn cast(self, ty: ScalarType) -> Val {
        match (self, ty) {
            (_, ScalarType::Half) | (Val::Array(..) | Val::Unknown, _) => Val::Unknown,
            (Val::Int(number), ScalarType::Float) => Val::Float(number as f32),
            (Val::Float(number), ScalarType::Float) => Val::Float(number),
            (Val::Double(number), ScalarType::Float) => Val::Float(number as f32),
            (Val::Int(number), ScalarType::Double) => Val::Double(number as f64),
            (Val::Float(number), ScalarType::Double) => Val::Double(f64::from(number)),
            (Val::Double(number), ScalarType::Double) => Val::Double(number),
            (Val::Int(number), ScalarType::Bool) => Val::Int(i128::from(number != 0)),
            (Val::Int(number), _) => Val::from_bits(number as u128, ty),
            (Val::Float(number), _) => truncated(f64::from(number), ty),
            (Val::Double(number), _) => truncated(number, ty),
        }
    }

    /// `-x`.
    pub fn negated(self) -> Val {
        match self {
            Val::Int(number) => number.checked_neg().map_or(Val::Unknown, Val::Int),
            Val::Float(number) => Val::Float(-number),
            Val::Double(number) => Val::Double(-number),
            Val::Array(..) | Val::Unknown => Val::Unknown,
        }
    }

    /// An operation that is not logical.
    pub fn binary(self, op: BinaryOp, other: Val) -> Val {
        match (self, other) {
            (Val::Int(a), Val::Int(b)) => integers(op, a, b),
            (Val::Unknown | Val::Array(..), _) | (_, Val::Unknown | Val::Array(..)) => Val::Unknown,
            (Val::Double(_), _) | (_, Val::Double(_)) => {
                match (self.cast(ScalarType::Double), other.cast(ScalarType::Double)) {
                    (Val::Double(a), Val::Double(b)) => doubles(op, a, b),
                    _ => Val::Unknown,
                }
            }
            _ => match (self.cast(ScalarType::Float), other.cast(ScalarType::Float)) {
                (Val::Float(a), Val::Float(b)) => floats(op, a, b),
                _ => Val::Unknown,
            },
        }
    }
}

/// A float to an integer, towards zero; out of range it is unknown.
fn truncated(number: f64, ty: ScalarType) -> Val {
    let whole = number.trunc();
    if !whole.is_finite() || whole.abs() >= 2f64.powi(100) {
        return Val::Unknown;
    }
    let exact = whole as i128;
    match Val::from_bits(exact as u128, ty) {
        Val::Int(kept) if kept == exact => Val::Int(exact),
        Val::Int(_) | Val::Float(_) | Val::Double(_) | Val::Array(..) | Val::Unknown => {
            Val::Unknown
        }
    }
}

fn integers(op: BinaryOp, a: i128, b: i128) -> Val {
    let amount = || u32::try_from(b).ok().filter(|amount| *amount < 127);
    let number = match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Sub => a.checked_sub(b),
        BinaryOp::Mul => a.checked_mul(b),
        BinaryOp::Div => a.checked_div(b),
        BinaryOp::Rem => a.checked_rem(b),
        BinaryOp::Shl => amount().and_then(|amount| a.checked_mul(1i128 << amount)),
        BinaryOp::Shr => amount().map(|amount| a >> amount),
        BinaryOp::BitAnd => Some(a & b),
        BinaryOp::BitOr => Some(a | b),
        BinaryOp::BitXor => Some(a ^ b),
        BinaryOp::Eq => Some(i128::from(a == b)),
        BinaryOp::Ne => Some(i128::from(a != b)),
        BinaryOp::Lt => Some(i128::from(a < b)),
        BinaryOp::Le => Some(i128::from(a <= b)),
        BinaryOp::Gt => Some(i128::from(a > b)),
        BinaryOp::Ge => Some(i128::from(a >= b)),
        BinaryOp::And | BinaryOp::Or | BinaryOp::Implies => None,
    };
    number.map_or(Val::Unknown, Val::Int)
}

/// Floats: `==` is equality of bits, any NaN equal to any NaN.
macro_rules! float_operations {
    ($name:ident, $type:ty, $value:path) => {
        fn $name(op: BinaryOp, a: $type, b: $type) -> Val {
            let same = a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
            let truth = |truth: bool| Val::Int(i128::from(truth));
            match op {
                BinaryOp::Add => $value(a + b),
                BinaryOp::Sub => $value(a - b),
                BinaryOp::Mul => $value(a * b),
                BinaryOp::Div => $value(a / b),
                BinaryOp::Eq => truth(same),
                BinaryOp::Ne => truth(!same),
                BinaryOp::Lt => truth(a < b),
                BinaryOp::Le => truth(a <= b),
                BinaryOp::Gt => truth(a > b),
                BinaryOp::Ge => truth(a >= b),
                BinaryOp::Rem
                | BinaryOp::Shl
                | BinaryOp::Shr
                | BinaryOp::BitAnd
                | BinaryOp::BitOr
                | BinaryOp::BitXor
                | BinaryOp::And
                | BinaryOp::Or
                | BinaryOp::Implies => Val::Unknown,
            }
        }
    };
}
float_operations!(floats, f32, Val::Float);
float_operations!(doubles, f64, Val::Double);

impl std::fmt::Display for Val {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Val::Int(number) => write!(f, "{number}"),
            Val::Float(number) => write!(f, "{number:?}"),
            Val::Double(number) => write!(f, "{number:?}"),
            Val::Array(..) => f.write_str("an array"),
            Val::Unknown => f.write_str("unknown"),
        }
    }
}
