//! Solvers behind one trait.
//!
//! An answer is [`Answer::Unsat`], [`Answer::Sat`] or [`Answer::Unknown`]; a
//! verifier may conclude something only from the first. Whatever goes wrong
//! with a solver (it dies, hangs, runs out of memory, prints garbage or answers
//! a question that was not asked) is `Unknown`, and the next question starts a
//! fresh process. Only two things are errors: a solver that is not installed,
//! and two solvers that contradict each other.

mod cache;
mod locate;
mod portfolio;
mod process;
mod query_log;
mod recording;
mod session;
mod values;

pub use cache::QueryCache;
pub use duet_tools::Origin;
pub use locate::{Located, SolverKind, locate, preferred};
pub use portfolio::Portfolio;
pub use process::end_all;
pub use query_log::QueryLog;
pub use recording::RecordingSolver;
pub use session::ProcessSolver;

use crate::fence::Fence;
use crate::pool::TermPool;
use crate::sort::TermId;
use crate::value::Model;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What a solver says about a conjunction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// No assignment satisfies it.
    Unsat,
    /// This one does, according to the solver.
    Sat(Model),
    /// Nothing was found out.
    Unknown(Reason),
}

impl Answer {
    /// Whether the answer is `Unsat` or `Sat`.
    pub fn is_definite(&self) -> bool {
        !matches!(self, Answer::Unknown(_))
    }

    /// One word, as SMT-LIB has it.
    pub fn word(&self) -> &'static str {
        match self {
            Answer::Unsat => "unsat",
            Answer::Sat(_) => "sat",
            Answer::Unknown(_) => "unknown",
        }
    }
}

/// Why nothing was found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The wall-clock fence was reached.
    Timeout,
    /// The solver's own resource count was used up.
    Resource,
    /// The memory fence was reached.
    Memory,
    /// The solver gave up, or its model could not be used.
    Incomplete,
    /// The solver died or did not keep to the protocol.
    Crashed,
    /// It was asked to stop.
    Cancelled,
}

/// What a question may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// In units of z3's resource count, about ten million a second; scaled for
    /// other solvers that count. Makes runs repeatable.
    pub resources: Option<u64>,
    /// Wall-clock fence; the process is killed when it is passed.
    pub fence: Fence,
    /// Memory fence of the process in megabytes.
    pub memory_mb: Option<u64>,
}

impl Limits {
    /// A wall-clock fence in so many milliseconds from now, 4 GB, and no resource count.
    pub fn wall_ms(ms: u64) -> Self {
        let fence = Fence::after(Some(Duration::from_millis(ms)));
        Limits { resources: None, fence, memory_mb: Some(4096) }
    }

    /// So many resources, 4 GB, and no fence.
    pub const fn units(units: u64) -> Self {
        Limits { resources: Some(units), fence: Fence::NONE, memory_mb: Some(4096) }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits::units(50_000_000)
    }
}

/// A flag that stops the questions it was given to. Clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// A flag that is not set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the flag.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Whether the flag is set.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

/// One question: are the asserted terms and these assumptions satisfiable?
#[derive(Clone, Debug)]
pub struct Query<'a> {
    /// Assumed for this question only.
    pub assumptions: &'a [TermId],
    /// What it may cost.
    pub limits: Limits,
    /// Stops it early.
    pub cancel: CancelToken,
    /// What is being checked, in words, for logs.
    pub about: &'a str,
}

impl<'a> Query<'a> {
    /// A question with default limits.
    pub fn new(assumptions: &'a [TermId]) -> Self {
        Query { assumptions, limits: Limits::default(), cancel: CancelToken::new(), about: "" }
    }
}

/// What is not an answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolverError {
    /// The program is nowhere to be found.
    #[error("solver {name} is not installed ({})", whereabouts(.looked, *.named))]
    NotInstalled {
        /// The solver.
        name: String,
        /// Places that were tried.
        looked: Vec<PathBuf>,
        /// The user named the program, so that no other place was tried.
        named: bool,
    },
    /// The program is there but cannot be started.
    #[error("{name} cannot be used: {why}")]
    CannotStart {
        /// The solver.
        name: String,
        /// The system's message.
        why: String,
    },
    /// One solver says sat and another unsat, or a solver calls impossible what a run does. One
    /// of them, or we, are wrong.
    #[error("internal error: solvers disagree: {0}")]
    Disagreement(String),
}

/// Where a program is not. All places are worth a list only if the user chose them.
fn whereabouts(looked: &[PathBuf], named: bool) -> String {
    match looked {
        [] if named => "its name is not on the path".to_string(),
        [place] if named => format!("there is no program {}", place.display()),
        _ => "it is neither beside the program nor on the path".to_string(),
    }
}

/// A solver that keeps a stack of assertions between questions.
pub trait Solver: Send {
    /// Name and version: part of what an answer depends on.
    fn identity(&self) -> String;
    /// The name alone, which may cost less to find out.
    fn name(&self) -> String {
        self.identity()
    }
    /// Opens a scope.
    fn push(&mut self);
    /// Closes the innermost scope and forgets what was asserted in it.
    fn pop(&mut self);
    /// Forgets everything.
    fn reset(&mut self);
    /// Asserts a truth-valued term in the innermost scope.
    fn assert(&mut self, t: TermId);
    /// Asks.
    fn check(&mut self, pool: &TermPool, query: &Query<'_>) -> Result<Answer, SolverError>;
    /// The work that the last question took, in the units of [`Limits::resources`]. The
    /// same on every run.
    fn last_work(&self) -> u64 {
        0
    }
    /// Forgets what was learned from earlier questions, but not what was asserted.
    fn forget(&mut self) {}
    /// What went wrong last, in words.
    fn last_problem(&self) -> Option<&str> {
        None
    }
    /// Does it know integers?
    fn has_integers(&self) -> bool {
        true
    }
    /// Does it pay to ask with a small limit first?
    fn answers_briefly(&self) -> bool {
        false
    }
}
