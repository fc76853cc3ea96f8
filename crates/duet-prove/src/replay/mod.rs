//! Refutation by replay: runs of the interpreter whose final memory breaks the contract,
//! and runs that show that the contract is about something.
//!
//! | file | holds |
//! |---|---|
//! | `value`, `eval` | values of contracts and their evaluation in three values |
//! | `world` | the memory that a run found and left |
//! | `arguments` | launches and arguments that meet `requires` |
//! | `search` | the runs, and what they show |
//!
//! Nothing here sees a term: the evaluator judges what the proof says.

mod arguments;
mod eval;
mod search;
mod value;
mod world;

pub use search::{Broken, Searched, meets, search};
