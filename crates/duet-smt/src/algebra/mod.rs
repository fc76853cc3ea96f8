//! Index algebra: decides most questions about addresses without a solver.
//!
//! Input is a conjunction of literals, output a [`Refutation`] or nothing. The
//! method is polynomials over machine values read as integers ([`proof`] says
//! how wrapping is kept out), with bounds by intervals and by adding
//! inequalities, mixed radix (`0 ≤ x, x' < a` and `x + a·y = x' + a·y'` give
//! `x = x'` and `y = y'`), division with remainder, and congruences modulo 2^w.
//! It is sound and far from complete: what it does not find goes to a solver.
//!
//! The prover searches, the checker ([`check_refutation`]) does not trust it.

mod bounds;
mod check;
mod equations;
pub mod meaning;
mod notebook;
pub mod poly;
pub mod proof;
mod prove;
mod ranges;
mod relevance;
mod state;
mod values;

pub use check::{CheckError, check_refutation};
pub use proof::Refutation;
pub(crate) use prove::refute_counting;
pub use prove::{refute, refute_within};
pub(crate) use ranges::{Ranges, SumOfProducts};
pub(crate) use relevance::is_about_products;
