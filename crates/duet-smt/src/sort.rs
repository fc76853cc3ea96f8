//! Sorts, and the typed ids of terms, function symbols and named sorts.

use cranelift_entity::entity_impl;
use std::fmt;

/// A term of a [`TermPool`](crate::TermPool); prints as `t17`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermId(u32);
entity_impl!(TermId, "t");

/// A declared function symbol; a constant is a function without arguments.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FuncId(u32);
entity_impl!(FuncId, "f");

/// A declared uninterpreted sort.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SortId(u32);
entity_impl!(SortId, "s");

/// The widest bit-vector there is.
pub const MAX_WIDTH: u32 = 128;

/// The index sort of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IndexSort {
    /// Bit-vectors of this width.
    BitVec(u32),
    /// Mathematical integers.
    Int,
}

impl IndexSort {
    /// The sort of an index term.
    pub fn sort(self) -> Sort {
        match self {
            IndexSort::BitVec(width) => Sort::BitVec(width),
            IndexSort::Int => Sort::Int,
        }
    }
}

/// The sort of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Bit-vectors of 1 to 128 bits.
    BitVec(u32),
    /// Mathematical integers.
    Int,
    /// A declared sort about which nothing is known but equality.
    Named(SortId),
    /// Total maps from indices to bit-vectors of width `element`.
    Array {
        /// Sort of the indices.
        index: IndexSort,
        /// Width of the elements.
        element: u32,
    },
}

impl Sort {
    /// The width, if this is a bit-vector sort.
    pub fn width(self) -> Option<u32> {
        match self {
            Sort::BitVec(width) => Some(width),
            _ => None,
        }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => write!(f, "Bool"),
            Sort::BitVec(width) => write!(f, "(_ BitVec {width})"),
            Sort::Int => write!(f, "Int"),
            Sort::Named(id) => write!(f, "{id}"),
            Sort::Array { index, element } => {
                write!(f, "(Array {} (_ BitVec {element}))", index.sort())
            }
        }
    }
}

/// All ones in the low `width` bits.
pub fn mask(width: u32) -> u128 {
    debug_assert!((1..=MAX_WIDTH).contains(&width));
    u128::MAX >> (MAX_WIDTH - width)
}

/// The value of `bits` read as a two's complement number of `width` bits.
pub fn to_signed(bits: u128, width: u32) -> i128 {
    let shift = MAX_WIDTH - width;
    ((bits << shift) as i128) >> shift
}
