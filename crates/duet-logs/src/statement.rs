//! Statements about the state at a loop's head: candidates for invariants.
//!
//! A statement is about both threads, or about the log. The rule that makes one up need not be
//! right: nothing rests on a statement before Houdini (`duet_infer::sorting`) showed that it
//! holds on every way to the head, for threads that are still in the loop and for those that
//! left it.

use duet_analysis::Loop;
use duet_ir::{Inst, IntCc, Value};
use duet_smt::TermId;
use duet_vc::Expr;

use crate::log::{Key, Log};

/// Something that may hold at every visit of a loop's head.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Statement {
    /// Of each thread that entered the loop, by itself.
    Own(Expr),
    /// What the user wrote there.
    User(Inst),
    /// Both threads are in the loop, or neither is.
    SameActive,
    /// Both threads are alive, or neither is.
    SameAlive,
    /// A parameter is the same for both threads that are in the loop.
    SameValue(usize),
    /// A parameter has come as far in both threads that are in the loop.
    SameDistance(usize),
    /// Nothing is logged, as long as both threads are alive.
    NoAccess(Key),
    /// Nothing is logged, if both threads are alive and in one warp that runs in lock step.
    NoAccessInWarp(Key),
    /// Only a thread that entered the loop is in it.
    ActiveOnlyIfEntered,
    /// A thread that entered the loop and whose last visit tested this value with this result
    /// is still in it.
    ActiveIf(Value, bool),
    /// Something is logged only if the first thread entered the loop.
    OnlyIfEntered(Key),
    /// A thread that did not enter the loop has the log that it had.
    KeptIfNotEntered(Key),
    /// What is logged was there on entry, or is what one of the loop's sites does in the
    /// iterations that were remembered.
    Logged(Key),
    /// What is logged was there on entry, or this holds of a loop around the site in the
    /// iteration that was remembered.
    LoggedOwn(Key, Loop, Expr),
    /// The offset that is logged compares so with something the loop does not change.
    Offset(Key, OffsetIs),
}

/// Something about a logged offset. All expressions are of pointer width.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum OffsetIs {
    /// It compares so with an expression.
    Compared(IntCc, Expr),
    /// Divided by a number it leaves the remainder that an expression leaves.
    Congruent(u128, Expr),
    /// An id of the thread, as wide as an offset, is the quotient of the distance from an
    /// expression and a number, modulo the number of such ids.
    Component {
        /// The id.
        id: Expr,
        /// What is added to it.
        rest: Expr,
        /// Bytes between places of neighbouring ids.
        stride: u128,
    },
    /// One of these.
    Any(Vec<OffsetIs>),
}

/// A statement about a loop, with the rule that made it up.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Candidate {
    /// The loop.
    pub id: Loop,
    /// The rule's name; `user` for what the user wrote.
    pub rule: &'static str,
    /// What is stated.
    pub statement: Statement,
}

/// The state at a visit of a loop's head, of each thread.
#[derive(Clone, Debug)]
pub(crate) struct Head {
    /// The thread is alive.
    pub alive: Vec<TermId>,
    /// The thread is still in the loop.
    pub active: Vec<TermId>,
    /// The parameters are those of a visit of the thread: it entered the loop, and did not
    /// fail.
    pub valid: Vec<TermId>,
    /// The thread entered the loop.
    pub entered: Vec<TermId>,
    /// The parameters on entry.
    pub initial: Vec<Vec<TermId>>,
    /// The parameters; of a thread that left the loop, at its last visit.
    pub params: Vec<Vec<TermId>>,
    /// The iterations before.
    pub visits: Vec<TermId>,
    /// The log.
    pub log: Log,
    /// The log on entry.
    pub log_at_entry: Log,
}
