//! Questions about a kernel: asked, answered and explained.
//!
//! An [`Asker`] takes a [`Question`] about the terms of a [`duet_vc::Walker`], spends a
//! [`Budget`] on it, and yields an [`Answered`]: proved, or open with a state in the user's
//! terms ([`duet_vc::Witness`]) and the obstacles in the way ([`Obstacle`]).
//!
//! | file | holds |
//! |---|---|
//! | `asker` | questions and answers |
//! | `budget` | every limit: effort for a question, patience and time for all |
//! | `session` | solvers over many kernels |
//! | `models` | guessed models, before a solver is asked for one |
//! | `cases` | case splits over enumerated states |
//! | `witness` | a solver's model in the user's terms |
//! | `obstacle`, `obstacles` | what stood in the way of a proof |
//! | `source_terms` | statements about loops in the words of the source |
//! | `trace` | what was asked and who answered |
//!
//! This crate knows no property that a kernel may have, makes no walks and decides no
//! verdict.

// A new instruction, annotation or operation does not compile until every place that it
// concerns handles it.
#![warn(clippy::wildcard_enum_match_arm)]

mod asker;
mod budget;
mod cases;
mod models;
mod obstacle;
mod obstacles;
mod session;
mod source_terms;
mod trace;
mod witness;

pub use asker::{Answered, AskOptions, Asker, Doubt, End, Open, Question, reason_in_words};
pub use budget::{Budget, Effort, Patience, Runs, Steps, WORK};
pub use cases::{cases, has_cases};
pub use duet_smt::Fence;
pub use models::Likely;
pub use obstacle::{Obstacle, Variable};
pub use session::{Session, SessionOptions, installed_solvers};
pub use source_terms::SourceTerms;
pub use trace::{Asked, Trace};
pub use witness::witness_of;
