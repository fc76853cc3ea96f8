//! Contracts: what a kernel is to compute, as its author writes it beside the kernel.
//!
//! | file | holds |
//! |---|---|
//! | `scan` | contracts in a source text, what they stand before, and the text with captures |
//! | `lexer`, `parse`, `parse_expr` | from a contract's text to its tree, with places |
//! | `tree` | the tree |
//! | `names` | the free names of a contract, which clang resolves |
//! | `bounds` | the range of a bound variable, read off its guard |
//! | `typing` | types of expressions, and what is wrong with them |
//! | `print` | the tree as text |
//!
//! The crate knows the contract language and nothing of kernels: what a name stands for
//! comes in as a [`Captured`], made by clang's overload resolution and the front end. It
//! runs nothing and proves nothing.

#![warn(clippy::wildcard_enum_match_arm)]

mod beside;
mod bounds;
mod lexer;
mod math;
mod names;
mod parse;
mod parse_expr;
mod print;
mod scan;
mod tree;
mod typing;

pub use beside::beside;
pub use bounds::{Bounds, bounds_of};
pub use duet_ir::{Captured, ScalarType};
pub use math::{integer_function, math_function, math_type};
pub use names::{Capture, free_names, known_constant};
pub use parse::{SpecError, parse};
pub use scan::{Place, Scanned, SpecText, contract_around, scan, with_captures};
pub use tree::{
    Assigned, BinaryOp, Binder, Clause, ClauseKind, Contract, Expr, ExprKind, Fold, Logic,
    Quantifier, Span, Type, UnaryOp,
};
pub use typing::{Typed, check_types};
