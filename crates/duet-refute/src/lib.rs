//! Refutation: runs of the interpreter that show what a proof left open.
//!
//! Input: a kernel and what it is run for ([`Subject`], [`Setting`]), and what is
//! suspected of it ([`Suspicion`]), with the states that a solver gave. Output of
//! [`refute()`]: runs, each with the suspicions that it confirms and further defects that
//! it shows, as [`Evidence`]. Inputs are made up in `inputs`; `search` runs the kernel
//! with them, `evidence` judges what a run shows, `shrink` makes the run small,
//! `unless` looks for launch sizes that avoid the defect. [`Path`] tells how the threads
//! got there, [`command_line`] how to repeat it, [`reproduction`] writes a host program.
//!
//! Others use single runs: a [`RunMaker`] makes them, [`Subject::met_by_runs`] asks
//! whether runs meet what a proof assumes.
//!
//! What this crate must never do:
//!
//! * prove anything. A run executes the kernel, so it can only confirm that something
//!   happens. It is an under-approximation: what no run showed may still happen.
//! * ask a solver. States of solvers come in as plain data ([`duet_vc::Witness`]).
//! * see the findings of a report, decide how severe they are, or depend on the words
//!   in which they are told.

// A new instruction, annotation or operation does not compile until every place that it
// concerns handles it.
#![warn(clippy::wildcard_enum_match_arm)]

mod command;
mod evidence;
mod inputs;
mod met;
mod path;
mod refute;
mod repro;
mod run;
mod sample;
mod search;
mod setting;
mod shrink;
mod subject;
mod unless;

pub use command::{command_line, fill_text, own_name};
pub use evidence::{Defect, Evidence};
pub use inputs::RunMaker;
pub use met::Met;
pub use path::Path;
pub use refute::{Failures, Refuted, Suspicion, refute};
pub use repro::{Compiling, Repro, reproduction};
pub use run::Run;
pub use sample::Judgement;
pub use setting::Setting;
pub use subject::Subject;
