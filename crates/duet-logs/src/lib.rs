//! The papers' own encoding: access logs, predication, two threads in lock step.
//!
//! A second way to the verdicts of `duet check`, which shares terms, questions and analyses
//! with the first and nothing of its encoding of pairs.
#![warn(clippy::wildcard_enum_match_arm)]

mod check;
mod coverage;
mod facts;
mod inference;
mod judge;
mod log;
mod options;
mod prepare;
mod rules;
mod show;
mod statement;
mod walk;

pub use check::{Found, Open, Outcome, Task, check};
pub use log::Kind;
pub use options::{Abstraction, Instrumenter, LogOptions};
pub use rules::log_rules;
