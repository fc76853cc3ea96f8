//! Terms, simplifier, index algebra and solvers: the part of Duet that decides
//! formulas. It knows nothing of kernels, threads or barriers, and works alone
//! from SMT-LIB text ([`text`]).
//!
//! # What a formula is
//!
//! A conjunction of truth-valued terms of a [`TermPool`]: quantifier-free, over
//! bit-vectors of 1 to 128 bits, mathematical integers, uninterpreted functions
//! and sorts, and arrays of bit-vectors. Operations are total and mean what
//! SMT-LIB says; [`eval()`] is the definition. Floats are bit-vectors under
//! uninterpreted functions.
//!
//! # What may be concluded
//!
//! `Unsat` means that no assignment satisfies the conjunction; it is the only
//! answer that a proof may rest on. It comes from:
//!
//! * **the simplifier** (`build/`): each rewrite gives a term of the same value
//!   under every assignment. Tested against the evaluator on random terms;
//! * **rewriting literals by one another** ([`simplify_conjunction`]): in a model
//!   of all literals, equals are replaced by equals, so a model stays a model;
//! * **array elimination** ([`eliminate_arrays`]): the functions that replace
//!   array symbols *are* those arrays;
//! * **the index algebra** ([`algebra`]): a refutation is a list of steps, each
//!   by one of some twenty rules, and is used only after an independent checker
//!   has accepted it. Machine arithmetic enters as congruences modulo 2^w; a
//!   congruence becomes an equation only with a proof of the bounds that exclude
//!   wrapping. Tested against enumeration at small widths;
//! * **a solver** ([`solver`]), asked about the bit-vectors themselves or about
//!   their **integer translation** ([`translate_to_int`], or of data alone, `data_to_int`),
//!   of which every bit-vector model is a model. A solver's answer counts only if it stands
//!   alone between two tokens made for that question.
//!
//! `Sat` comes with a model, and from the [`Decider`] only with one under which
//! the evaluator finds all literals true. Everything else is `Unknown` with its
//! reason: a solver that dies, hangs, prints garbage, answers late, runs out of
//! memory. Errors are kept for solvers that are missing or contradict each other.
//!
//! # Repeatability
//!
//! Terms, proofs and texts depend on nothing but the calls that made them. Limits
//! are counted in solver resources (Bitwuzla alone counts none) and in the algebra's
//! fuel; the wall clock is a [`Fence`] behind them, and an answer that it cut short is
//! `Unknown(Timeout)`.

pub mod algebra;
mod arrays;
mod build;
mod bv_to_int;
mod context;
mod data_to_int;
mod decider;
mod eval;
mod fence;
mod op;
mod pool;
mod repair;
pub mod solver;
mod sort;
pub mod text;
mod value;

pub use arrays::{ArrayEscapes, EliminatedArrays, eliminate_arrays};
pub use build::{BitVectors, Comparisons, Ints};
pub use bv_to_int::{IntTranslation, Untranslatable, translate_to_int};
pub use context::Context;
pub use cranelift_entity::{EntityRef, PrimaryMap};
pub use decider::{
    DecidedBy, Decider, DeciderOptions, DeciderStatistics, Decision, Encoding, Policy, Prefer,
    Question, simplify_conjunction,
};
pub use eval::{Overflow, eval, eval_all, holds};
pub use fence::Fence;
pub use op::{Op, SortError};
pub use pool::{FuncData, TermData, TermPool, TermTable, Work};
pub use repair::repaired_model;
pub use sort::{FuncId, IndexSort, MAX_WIDTH, Sort, SortId, TermId, mask, to_signed};
pub use value::{ArrayValue, FuncTable, Model, Value};
