//! Terms, simplifier, index algebra and solvers.

mod arrays;
mod build;
mod eval;
mod op;
mod pool;
mod sort;
pub mod text;
mod value;

pub use arrays::{ArrayEscapes, EliminatedArrays, eliminate_arrays};
pub use eval::{Overflow, eval, eval_all, holds};
pub use op::{Op, SortError};
pub use pool::{FuncData, TermData, TermPool};
pub use sort::{FuncId, IndexSort, MAX_WIDTH, Sort, SortId, TermId, mask, to_signed};
pub use value::{ArrayValue, FuncTable, Model, Value};
pub mod solver;
pub mod algebra;
mod bv_to_int;
mod decider;
pub use bv_to_int::{IntTranslation, Untranslatable, translate_to_int};
pub use decider::{DecidedBy, Decider, DeciderOptions, DeciderStatistics, Decision, Encoding, Prefer, Question, simplify_conjunction};
