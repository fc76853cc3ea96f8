//! What a precondition is made of: short statements about launch sizes and scalar
//! arguments, as data; how they read in the source, and whether they are true of a
//! launch.
//!
//! An atom means what its text means in the source language: sizes are unsigned, so
//! comparisons with them are too, and arithmetic wraps at the width of its operands.

use std::collections::BTreeMap;

use duet_ir::{Dim, Function, Language, Value};

use crate::check::{Likely, Witness};

/// A number that a launch has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Quantity {
    /// Threads of a block along a dimension.
    Block(Dim),
    /// Blocks of the grid along a dimension.
    Grid(Dim),
    /// Threads of the grid along a dimension.
    Threads(Dim),
    /// A scalar argument.
    Argument(Value),
    /// A number that the kernel mentions, or a small one.
    Number(u32),
    /// A number times a scalar argument.
    Times(u32, Value),
    /// A number times the threads of a block along a dimension.
    BlockTimes(u32, Dim),
    /// A number times the blocks of the grid along a dimension, in 64 bits: there may
    /// be many blocks.
    GridTimes(u32, Dim),
    /// Threads of the grid along two dimensions, multiplied in 64 bits.
    Area(Dim, Dim),
    /// A scalar argument of 32 bits, read without a sign, times the threads of the grid
    /// along a dimension, in 64 bits.
    Rows(Value, Dim),
}

/// A statement about a launch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Atom {
    /// Both are the same.
    Equal(Quantity, Quantity),
    /// The first is not larger than the second, both unsigned.
    AtMost(Quantity, Quantity),
    /// The first, an argument with a sign, is not smaller than the second.
    AtLeast(Quantity, Quantity),
    /// The first is a multiple of the second, both unsigned.
    Multiple(Quantity, Quantity),
    /// One bit is set, or none.
    PowerOfTwo(Quantity),
}

impl Atom {
    /// What it compares.
    pub(super) fn sizes(self) -> impl Iterator<Item = Quantity> {
        let (one, other) = match self {
            Atom::Equal(a, b) | Atom::AtMost(a, b) | Atom::AtLeast(a, b) | Atom::Multiple(a, b) => {
                (a, Some(b))
            }
            Atom::PowerOfTwo(a) => (a, None),
        };
        std::iter::once(one).chain(other)
    }
}

/// The sizes and arguments of a launch, as far as they are known.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Example {
    pub(super) block: [u32; 3],
    pub(super) grid: [u32; 3],
    /// Bits and width.
    pub(super) arguments: BTreeMap<Value, (u128, u32)>,
}

impl Example {
    /// What a model says.
    pub(super) fn of_witness(func: &Function, witness: &Witness) -> Example {
        let scalar = |name: &String| {
            func.scalar_params().find(|param| param.name == name).map(|param| param.value)
        };
        let known = witness
            .arguments
            .iter()
            .filter_map(|(name, given)| Some((scalar(name)?, (given.bits, given.ty.bits()?))));
        Example { block: witness.block_dim, grid: witness.grid_dim, arguments: known.collect() }
    }
}

impl Example {
    /// As a launch to begin with.
    pub(super) fn likely(&self) -> Likely {
        let arguments = self.arguments.iter().map(|(&value, &(bits, _))| (value, bits));
        Likely { block: self.block, grid: self.grid, arguments: arguments.collect() }
    }
}

impl Quantity {
    /// Its value in a launch, if that is known.
    pub(super) fn value(self, example: &Example) -> Option<u128> {
        let wrapped = |bits: u128, width: u32| bits & (u128::MAX >> (128 - width.clamp(1, 128)));
        Some(match self {
            Quantity::Block(dim) => u128::from(example.block[dim.index()]),
            Quantity::Grid(dim) => u128::from(example.grid[dim.index()]),
            Quantity::Threads(dim) => {
                u128::from(example.block[dim.index()]) * u128::from(example.grid[dim.index()])
            }
            Quantity::Argument(value) => example.arguments.get(&value)?.0,
            Quantity::Number(number) => u128::from(number),
            Quantity::Times(number, value) => {
                let (bits, width) = *example.arguments.get(&value)?;
                wrapped(bits.wrapping_mul(u128::from(number)), width)
            }
            Quantity::BlockTimes(number, dim) => {
                u128::from(number) * u128::from(example.block[dim.index()])
            }
            Quantity::GridTimes(number, dim) => {
                u128::from(number) * u128::from(example.grid[dim.index()])
            }
            Quantity::Area(one, other) => {
                let threads = |dim| Quantity::Threads(dim).value(example);
                threads(one)?.checked_mul(threads(other)?)?
            }
            Quantity::Rows(value, dim) => {
                let (bits, _) = *example.arguments.get(&value)?;
                bits.checked_mul(Quantity::Threads(dim).value(example)?)?
            }
        })
    }

    /// An argument's value with its sign.
    fn signed(self, example: &Example, bits: u128) -> i128 {
        let width = self.argument().and_then(|value| Some(example.arguments.get(&value)?.1));
        let spare = 128 - width.unwrap_or(127).clamp(1, 127);
        ((bits << spare) as i128) >> spare
    }

    /// In the words of the source.
    fn text(self, func: &Function, language: Language) -> String {
        let size = |cuda: &str, opencl: &str, dim: Dim| match language {
            Language::Cuda => format!("{cuda}.{dim}"),
            Language::OpenCl => format!("{opencl}({})", dim.index()),
        };
        match self {
            Quantity::Block(dim) => size("blockDim", "get_local_size", dim),
            Quantity::Grid(dim) => size("gridDim", "get_num_groups", dim),
            Quantity::Threads(dim) => match language {
                Language::Cuda => format!("gridDim.{dim} * blockDim.{dim}"),
                Language::OpenCl => format!("get_global_size({})", dim.index()),
            },
            Quantity::Argument(value) => name_of(func, value),
            Quantity::Number(number) => number.to_string(),
            Quantity::Times(number, value) => format!("{number} * {}", name_of(func, value)),
            Quantity::BlockTimes(number, dim) => {
                format!("{number} * {}", size("blockDim", "get_local_size", dim))
            }
            Quantity::GridTimes(number, dim) => match language {
                Language::Cuda => format!("{number}LL * gridDim.{dim}"),
                Language::OpenCl => format!("{number}L * get_num_groups({})", dim.index()),
            },
            Quantity::Area(one, other) => {
                let [one, other] = [one, other].map(|d| Quantity::Threads(d).text(func, language));
                format!("{} * {other}", wide(&one, language))
            }
            Quantity::Rows(value, dim) => {
                let rows = Quantity::Threads(dim).text(func, language);
                let unsigned = format!("(unsigned){}", name_of(func, value));
                format!("{} * {rows}", wide(&unsigned, language))
            }
        }
    }

    /// The argument that it speaks of.
    pub(super) fn argument(self) -> Option<Value> {
        match self {
            Quantity::Argument(value) | Quantity::Times(_, value) | Quantity::Rows(value, _) => {
                Some(value)
            }
            _ => None,
        }
    }
}

/// An expression whose arithmetic is of 64 bits, without a sign.
fn wide(text: &str, language: Language) -> String {
    match language {
        Language::Cuda => format!("(unsigned long long){text}"),
        Language::OpenCl => format!("(ulong){text}"),
    }
}

fn name_of(func: &Function, wanted: Value) -> String {
    let own = func.scalar_params().find(|param| param.value == wanted);
    own.map_or_else(|| wanted.to_string(), |param| param.name.to_string())
}

impl Atom {
    /// The two sides; a statement about one quantity has it twice.
    pub(super) fn sides(self) -> [Quantity; 2] {
        match self {
            Atom::Equal(a, b) | Atom::AtMost(a, b) | Atom::AtLeast(a, b) | Atom::Multiple(a, b) => {
                [a, b]
            }
            Atom::PowerOfTwo(a) => [a, a],
        }
    }

    /// Is it false of the launch? Where the launch leaves a side open it is not.
    pub(super) fn excludes(self, example: &Example) -> bool {
        let [first, second] = self.sides();
        let (Some(a), Some(b)) = (first.value(example), second.value(example)) else {
            return false;
        };
        match self {
            Atom::AtLeast(..) => first.signed(example, a) < second.signed(example, b),
            Atom::Equal(..) => a != b,
            Atom::AtMost(..) => a > b,
            Atom::Multiple(..) => b != 0 && a % b != 0,
            Atom::PowerOfTwo(_) => a & a.wrapping_sub(1) != 0,
        }
    }

    /// As an expression of the source language.
    pub fn text(self, func: &Function, language: Language) -> String {
        let [a, b] = self.sides().map(|side| side.text(func, language));
        match self {
            Atom::Equal(..) => format!("{a} == {b}"),
            Atom::AtMost(..) => format!("{a} <= {b}"),
            Atom::AtLeast(_, Quantity::Number(_) | Quantity::Argument(_) | Quantity::Times(..)) => {
                format!("{a} >= {b}")
            }
            Atom::AtLeast(_, Quantity::GridTimes(..)) => match language {
                Language::Cuda => format!("{a} >= {b}"),
                Language::OpenCl => format!("{a} >= (long)({b})"),
            },
            Atom::AtLeast(..) => format!("{a} >= (int)({b})"),
            Atom::Multiple(Quantity::Argument(_), Quantity::Block(_) | Quantity::Threads(_)) => {
                format!("(unsigned){a} % ({b}) == 0")
            }
            Atom::Multiple(..) => format!("{a} % {b} == 0"),
            Atom::PowerOfTwo(_) => format!("({a} & ({a} - 1)) == 0"),
        }
    }
}
