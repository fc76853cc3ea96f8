//! A state that a solver gave, in the user's terms: sizes, ids and arguments as numbers.
//! It is plain data, and may be unreachable.

use std::collections::BTreeMap;
use std::fmt;

use duet_ir::{Array, Type};

/// A state that a solver gave, in the user's terms.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Witness {
    /// Threads of a block.
    pub block_dim: [u32; 3],
    /// Blocks of the grid.
    pub grid_dim: [u32; 3],
    /// The thread, or the two threads.
    pub threads: Vec<Position>,
    /// Scalar arguments that matter.
    pub arguments: Vec<(String, Scalar)>,
    /// Elements of arrays that matter, by index.
    pub contents: Vec<(String, BTreeMap<u64, u128>)>,
    /// The bytes that the first and the second access touch, if two may race.
    pub touched: Vec<Touched>,
}

/// Bytes of an array that an access touches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Touched {
    /// The array.
    pub array: Array,
    /// The first byte, from the start of the array; negative before it.
    pub offset: i64,
    /// How many.
    pub bytes: u32,
}

/// The ids of a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Position {
    /// In its block.
    pub thread: [u32; 3],
    /// Of its block.
    pub block: [u32; 3],
}

/// The value of a scalar argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scalar {
    /// Its bits.
    pub bits: u128,
    /// Its type.
    pub ty: Type,
    /// Is it unsigned in the source?
    pub unsigned: bool,
}

impl fmt::Display for Scalar {
    /// A decimal number; for what may be meant otherwise, the bits as well.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.ty.bits().unwrap_or(128).min(128);
        let bits = self.bits;
        match self.ty {
            Type::F32 => write!(f, "{:?} ({bits:#x})", f32::from_bits(bits as u32)),
            Type::F64 => write!(f, "{:?} ({bits:#x})", f64::from_bits(bits as u64)),
            Type::Int(_) | Type::Float(_) | Type::Ref
                if !self.unsigned && width > 1 && bits >> (width - 1) & 1 == 1 =>
            {
                let unused = 128 - width;
                write!(f, "{} ({bits:#x})", ((bits << unused) as i128) >> unused)
            }
            Type::Int(_) | Type::Float(_) | Type::Ref => write!(f, "{bits}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Scalar;
    use duet_ir::Type;

    #[test]
    fn arguments_as_people_read_them() {
        let shown = |bits, ty| Scalar { bits, ty, unsigned: false }.to_string();
        let high = Scalar { bits: 0xffff_fffe, ty: Type::Int(32), unsigned: true };
        assert_eq!(high.to_string(), "4294967294");
        assert_eq!(shown(7, Type::Int(32)), "7");
        assert_eq!(shown(0xffff_fffe, Type::Int(32)), "-2 (0xfffffffe)");
        assert_eq!(shown(0x8000, Type::Int(16)), "-32768 (0x8000)");
        assert_eq!(shown(1, Type::BOOL), "1");
        assert_eq!(shown(0x3fc0_0000, Type::F32), "1.5 (0x3fc00000)");
    }
}
