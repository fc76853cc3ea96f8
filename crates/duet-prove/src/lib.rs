//! `duet prove`: kernels compute what their contract says, for every launch and every size.
//!
//! In this order: a contract is bound to its kernel ([`contract`]); runs of the interpreter
//! look for a launch that breaks it, and show that it is about something ([`replay`]); the
//! kernel is checked for races and divergence under what the contract requires
//! ([`requires`], `duet-check`); then each clause is proved ([`proof`]).
//!
//! A clause is proved only if the check of the same kernel under the same contract is, if
//! refutation was tried, and if the clause is not vacuous. Everything else is unproven, with
//! the reason. The evaluator of `replay` shares nothing with the terms of `proof`: it is
//! their judge.

#![warn(clippy::wildcard_enum_match_arm)]

mod contract;
mod proof;
mod prove;
mod replay;
mod report;
mod requires;
mod steps;

pub use contract::{BadContract, Bound, Named};
pub use prove::{proofs_say, prove_kernel, runs_say};
pub use replay::{Broken, Searched};
pub use report::{
    ClauseReport, ClauseStatus, ContractReport, describe_bad_contract, describe_clause,
};
pub use steps::Steps;
