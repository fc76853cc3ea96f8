//! The operations a term may apply, with their SMT-LIB spelling and sorts.
//!
//! The set is QF_BV without its derived operations (subtraction, negation,
//! `bvnand` and so on are built from these), linear and non-linear integers,
//! uninterpreted functions and arrays. There are no quantifiers.

use crate::sort::{FuncId, IndexSort, MAX_WIDTH, Sort};

/// What a term applies to its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)] // The variants are SMT-LIB's operations of the same name.
pub enum Op {
    True,
    False,
    /// A bit-vector constant; the width is that of the term's sort.
    BvConst {
        width: u32,
        bits: u128,
    },
    IntConst(i128),
    /// A declared function, or a constant when there are no arguments.
    Apply(FuncId),
    Not,
    /// Conjunction of two or more.
    And,
    /// Disjunction of two or more.
    Or,
    Eq,
    Ite,
    BvNot,
    /// Sum of two or more, modulo 2^w.
    BvAdd,
    /// Product of two or more, modulo 2^w.
    BvMul,
    BvUdiv,
    BvUrem,
    BvSdiv,
    BvSrem,
    BvSmod,
    /// Of two or more.
    BvAnd,
    /// Of two or more.
    BvOr,
    /// Of two or more.
    BvXor,
    BvShl,
    BvLshr,
    BvAshr,
    Concat,
    Extract {
        hi: u32,
        lo: u32,
    },
    /// By this many bits, at least one.
    ZeroExtend(u32),
    /// By this many bits, at least one.
    SignExtend(u32),
    Ult,
    Ule,
    Slt,
    Sle,
    /// Sum of two or more.
    IntAdd,
    /// Product of two or more.
    IntMul,
    IntDiv,
    IntMod,
    IntLe,
    Select,
    Store,
}

/// Why an operation cannot be applied to arguments of some sorts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{op} cannot be applied to ({args})")]
pub struct SortError {
    /// The operation, as SMT-LIB spells it.
    pub op: String,
    /// The argument sorts.
    pub args: String,
}

impl Op {
    /// The name in SMT-LIB of an operation that has a plain one.
    pub fn name(self) -> &'static str {
        match self {
            Op::True => "true",
            Op::False => "false",
            Op::BvConst { .. } | Op::IntConst(_) | Op::Apply(_) => "",
            Op::Not => "not",
            Op::And => "and",
            Op::Or => "or",
            Op::Eq => "=",
            Op::Ite => "ite",
            Op::BvNot => "bvnot",
            Op::BvAdd => "bvadd",
            Op::BvMul => "bvmul",
            Op::BvUdiv => "bvudiv",
            Op::BvUrem => "bvurem",
            Op::BvSdiv => "bvsdiv",
            Op::BvSrem => "bvsrem",
            Op::BvSmod => "bvsmod",
            Op::BvAnd => "bvand",
            Op::BvOr => "bvor",
            Op::BvXor => "bvxor",
            Op::BvShl => "bvshl",
            Op::BvLshr => "bvlshr",
            Op::BvAshr => "bvashr",
            Op::Concat => "concat",
            Op::Extract { .. } => "extract",
            Op::ZeroExtend(_) => "zero_extend",
            Op::SignExtend(_) => "sign_extend",
            Op::Ult => "bvult",
            Op::Ule => "bvule",
            Op::Slt => "bvslt",
            Op::Sle => "bvsle",
            Op::IntAdd => "+",
            Op::IntMul => "*",
            Op::IntDiv => "div",
            Op::IntMod => "mod",
            Op::IntLe => "<=",
            Op::Select => "select",
            Op::Store => "store",
        }
    }

    /// The sort of the result, or an error if the arguments don't fit. `Apply`
    /// is checked by the pool, which knows the declarations.
    pub fn result_sort(self, args: &[Sort]) -> Result<Sort, SortError> {
        self.try_result_sort(args).ok_or_else(|| SortError {
            op: format!("{} {:?}", self.name(), self),
            args: args.iter().map(Sort::to_string).collect::<Vec<_>>().join(" "),
        })
    }

    fn try_result_sort(self, args: &[Sort]) -> Option<Sort> {
        use Sort::{Bool, Int};
        match self {
            Op::True | Op::False => args.is_empty().then_some(Bool),
            Op::BvConst { width, .. } => valid_width(width).filter(|_| args.is_empty()),
            Op::IntConst(_) => args.is_empty().then_some(Int),
            Op::Apply(_) => None,
            Op::Not => (args == [Bool]).then_some(Bool),
            Op::And | Op::Or => (args.len() >= 2 && all(args, Bool)).then_some(Bool),
            Op::Eq => (args.len() == 2 && args[0] == args[1]).then_some(Bool),
            Op::Ite => match args {
                [Bool, then, other] if then == other => Some(*then),
                _ => None,
            },
            Op::BvNot => (args.len() == 1 && args[0].width().is_some()).then(|| args[0]),
            Op::BvAdd | Op::BvMul | Op::BvAnd | Op::BvOr | Op::BvXor => {
                (args.len() >= 2).then_some(())?;
                same_width(args)
            }
            Op::BvUdiv
            | Op::BvUrem
            | Op::BvSdiv
            | Op::BvSrem
            | Op::BvSmod
            | Op::BvShl
            | Op::BvLshr
            | Op::BvAshr => (args.len() == 2).then(|| same_width(args))?,
            Op::Concat => match args {
                [Sort::BitVec(a), Sort::BitVec(b)] => valid_width(a + b),
                _ => None,
            },
            Op::Extract { hi, lo } => match args {
                [Sort::BitVec(w)] if lo <= hi && hi < *w => Some(Sort::BitVec(hi - lo + 1)),
                _ => None,
            },
            Op::ZeroExtend(by) | Op::SignExtend(by) => match args {
                [Sort::BitVec(w)] if by >= 1 => valid_width(w + by),
                _ => None,
            },
            Op::Ult | Op::Ule | Op::Slt | Op::Sle => {
                (args.len() == 2 && same_width(args).is_some()).then_some(Bool)
            }
            Op::IntAdd | Op::IntMul => (args.len() >= 2 && all(args, Int)).then_some(Int),
            Op::IntDiv | Op::IntMod => (args == [Int, Int]).then_some(Int),
            Op::IntLe => (args == [Int, Int]).then_some(Bool),
            Op::Select => match args {
                [Sort::Array { index, element }, i] if index.sort() == *i => {
                    Some(Sort::BitVec(*element))
                }
                _ => None,
            },
            Op::Store => store_sort(args),
        }
    }
}

fn store_sort(args: &[Sort]) -> Option<Sort> {
    let [array @ Sort::Array { index, element }, i, v] = args else { return None };
    let fits = IndexSort::sort(*index) == *i && Sort::BitVec(*element) == *v;
    fits.then_some(*array)
}

fn all(args: &[Sort], sort: Sort) -> bool {
    args.iter().all(|&a| a == sort)
}

fn same_width(args: &[Sort]) -> Option<Sort> {
    args[0].width()?;
    all(args, args[0]).then_some(args[0])
}

fn valid_width(width: u32) -> Option<Sort> {
    (1..=MAX_WIDTH).contains(&width).then_some(Sort::BitVec(width))
}
