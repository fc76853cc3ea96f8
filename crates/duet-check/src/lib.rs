//! `duet check`: races, divergence and assertions of a kernel, for every pair of threads.
//!
//! Loop invariants are inferred (`duet-infer`); then each of the [`properties`] is asked of
//! the walks that `duet-vc` makes, through `duet-ask`. Every question is a conjunction that
//! must be unsatisfiable; only `Unsat` proves anything. [`vacuity`] sees to it that what is
//! assumed can be met, and [`strategies`] says which attempts are made, in which order.
//!
//! The result is plain data ([`KernelReport`]). This crate writes no messages for users but
//! the list of what a verdict takes for granted.

// A new instruction, annotation or operation does not compile until every place that it
// concerns handles it.
#![warn(clippy::wildcard_enum_match_arm)]

mod assumptions;
mod by_logs;
mod check;
mod claims;
mod contents;
mod in_range;
mod options;
mod properties;
mod report;
mod same_code;
mod same_place;
mod stages;
mod strategies;
mod vacuity;

pub use duet_logs::{Abstraction, Instrumenter, LogOptions, log_rules};
pub use options::{CheckOptions, Encoding, HostLaunch, Shortcuts};
pub use report::{
    Construct, Finding, KernelReport, Property, PropertyReport, PropertyStatus, StageReport,
    Verdict, Why,
};
pub use same_code::{Checked, key as code_key};
pub use stages::{kernel_conditions, kernel_invariants, kernel_loops, kernel_pairs};
pub use strategies::{STRATEGIES, Strategy, check_in_range, check_kernel, fails_in_small_runs};
