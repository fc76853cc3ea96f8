//! Read-only results over the kernel IR, for the stages that prove things: what
//! the control-flow graph, the types and the literals say without a solver.
//!
//! | analysis | says |
//! |---|---|
//! | [`Dominators`], [`PostDominators`], [`ControlDependence`] | what every path passes |
//! | [`DataDependence`] | what a value is computed from |
//! | [`Paths`] | what a thread executes between two instructions |
//! | [`Loops`] | natural loops, their exits, how they nest |
//! | [`ArrayUses`] | who accesses each array, and how |
//! | [`Uniformity`] | what is the same for all threads of a warp, block or grid |
//! | [`Barriers`], [`Intervals`] | what a thread may do between two barriers |
//! | [`GhostReads`] | reads of annotations that no write of a thread can change |
//! | [`ClosedForms`], [`IterationBounds`] | loop variables as functions of the iteration count |
//! | [`Ranges`], [`Strides`], [`PowersOfTwo`] | which numbers a value can be |
//!
//! Each file's header says what is claimed, why it holds and which way it errs:
//! `may_` answers err on the side of yes, `must_` and `is_` answers on the side of
//! no. Every analysis has a print form, which its file tests use. All work on a
//! function of a well-formed module. This crate never changes the IR and never
//! asks a solver.

// A new instruction, annotation or operation does not compile until every place that it
// concerns handles it.
#![warn(clippy::wildcard_enum_match_arm)]

mod array_uses;
mod barriers;
pub mod bits;
mod claims;
mod closed_forms;
mod dependence;
mod dominators;
mod ghost_reads;
mod graph;
mod homes;
mod intervals;
mod iteration_bounds;
mod launch;
mod loops;
mod powers_of_two;
mod ranges;
mod strides;
mod uniformity;

pub use array_uses::{AccessSite, Aliasing, ArrayUses, CounterStep};
pub use barriers::{Barrier, Barriers, Ends};
pub use bits::compare;
pub use claims::BarrierClaims;
pub use closed_forms::{ClosedForm, ClosedForms, Linear, RightShift};
pub use dependence::{
    Condition, ControlDependence, DataDependence, EdgeId, Paths, decisions, offsets,
};
pub use dominators::{Dominators, PostDominators};
pub use ghost_reads::GhostReads;
pub use homes::Homes;
pub use intervals::{Interval, Intervals, LoopBarriers, Piece, Start};
pub use iteration_bounds::{ContinueTest, IterationBounds, LoopBound};
pub use launch::{Extent, LaunchSpec, MAX_BLOCK, MAX_GRID_YZ, MAX_THREADS_ALONG};
pub use loops::{Exit, Loop, LoopData, Loops};
pub use powers_of_two::{Candidate, Direction, PowersOfTwo};
pub use ranges::{Range, Ranges};
pub use strides::{Stride, Strides};
pub use uniformity::{SCOPES, Scope, Uniformity, UniformityOptions};
