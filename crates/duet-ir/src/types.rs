//! Scalar types.

use std::fmt;

/// The type of a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Type {
    /// An integer of 1 to 128 bits.
    Int(u8),
    /// A floating-point bit pattern.
    Float(FloatType),
    /// A reference to an array, or null.
    Ref,
}

/// A floating-point format.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FloatType {
    /// IEEE half precision.
    F16,
    /// The truncated single precision format.
    BF16,
    /// IEEE single precision.
    F32,
    /// IEEE double precision.
    F64,
}

impl Type {
    /// The type of conditions.
    pub const BOOL: Type = Type::Int(1);
    /// An 8-bit integer.
    pub const I8: Type = Type::Int(8);
    /// A 16-bit integer.
    pub const I16: Type = Type::Int(16);
    /// A 32-bit integer.
    pub const I32: Type = Type::Int(32);
    /// A 64-bit integer.
    pub const I64: Type = Type::Int(64);
    /// Half precision.
    pub const F16: Type = Type::Float(FloatType::F16);
    /// The truncated single precision format.
    pub const BF16: Type = Type::Float(FloatType::BF16);
    /// Single precision.
    pub const F32: Type = Type::Float(FloatType::F32);
    /// Double precision.
    pub const F64: Type = Type::Float(FloatType::F64);

    /// Width in bits; `None` for `ref`, which has no bit pattern.
    pub fn bits(self) -> Option<u32> {
        match self {
            Type::Int(width) => Some(u32::from(width)),
            Type::Float(FloatType::F16 | FloatType::BF16) => Some(16),
            Type::Float(FloatType::F32) => Some(32),
            Type::Float(FloatType::F64) => Some(64),
            Type::Ref => None,
        }
    }

    /// Bytes that a value occupies in memory; `None` for `ref`, which is stored
    /// as an integer.
    pub fn bytes(self) -> Option<u32> {
        self.bits().map(|bits| bits.div_ceil(8))
    }

    /// Is this an integer type?
    pub fn is_int(self) -> bool {
        matches!(self, Type::Int(_))
    }

    /// Is this a float type?
    pub fn is_float(self) -> bool {
        matches!(self, Type::Float(_))
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Int(width) => write!(f, "i{width}"),
            Type::Float(FloatType::F16) => f.write_str("f16"),
            Type::Float(FloatType::BF16) => f.write_str("bf16"),
            Type::Float(FloatType::F32) => f.write_str("f32"),
            Type::Float(FloatType::F64) => f.write_str("f64"),
            Type::Ref => f.write_str("ref"),
        }
    }
}

/// A dimension of the block or the grid.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Dim {
    /// The first, fastest-varying dimension.
    X,
    /// The second dimension.
    Y,
    /// The third dimension.
    Z,
}

impl Dim {
    /// All dimensions, fastest first.
    pub const ALL: [Dim; 3] = [Dim::X, Dim::Y, Dim::Z];

    /// 0, 1 or 2.
    pub fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(["x", "y", "z"][self.index()])
    }
}
