//! `duet equiv`: do two kernels compute the same, for every launch that a relation allows?
//!
//! The order of work: parameters and arrays are matched ([`pair`]), small runs of both look
//! for a difference ([`search`]), engines try to prove that there is none ([`engines`]), and
//! what they rest on is checked: both kernels are free of races and divergence, nothing that
//! they compute depends on the order of threads, and some launch meets all that is assumed.
//!
//! *equal* is said only if all of these hold. A difference is said only if both runs were
//! made and each side agrees with itself. Everything else is *not shown*, with the reason.
//! This crate renders its own report ([`render`]), as text and as JSON.

mod compare;
pub mod engines;
pub mod pair;
mod program;
pub mod render;
mod report;
pub mod search;

pub use compare::{Failure, checks_say, compare, engines_say};
pub use program::host_program;
pub use report::{Report, Verdict};
