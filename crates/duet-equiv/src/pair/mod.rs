//! The two kernels and what is asked of them.
//!
//! | file | holds |
//! |---|---|
//! | `request` | what is asked |
//! | `expr` | expressions that relate launches |
//! | `matching` | which parameters and arrays belong together |
//! | `determinism` | is what a kernel computes independent of the order of threads? |

pub mod determinism;
pub mod expr;
pub mod matching;
pub mod request;
