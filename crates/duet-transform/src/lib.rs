//! Rewrites of the kernel IR: functions from a well-formed module to a well-formed
//! module. No other crate changes a module after the front end has built it.
//!
//! A proof or a run of the rewritten module is used as a statement about the kernel of
//! the source. So each rewrite has to say how the runs of the two are related, and each
//! file opens with that argument. Three things are kept by all of them:
//!
//! * **Accesses.** Every access of the kernel that a run executes is executed by the run
//!   of the rewritten module too, at the same place in the thread's order, with the same
//!   array, offset and width; no access is added. (Where the host makes two pointers from
//!   one allocation, [`add_launch`] makes one array of their two.) Only where a thread is stopped (a
//!   precondition or an assumption that does not hold, an unwound loop that would begin
//!   one iteration too many) do the accesses behind that point fall away.
//! * **Ids.** Functions, arrays, and the instructions that stay keep their ids, so that
//!   findings about the two modules can be compared. Unwinding makes copies, and says of
//!   which instruction each one is a copy ([`Unwound::origin`]).
//! * **Well-formedness.** The rewrites go through [`WellFormed::rewrite`], which checks
//!   the result in debug builds.
//!
//! What changes is which launches and runs there are, and what is claimed of them:
//!
//! | rewrite | runs of the rewritten module | what a proof of it says about the original |
//! |---|---|---|
//! | [`select_annotations`] | with fewer assumptions: more; the same otherwise | as much, less the claims that were dropped |
//! | [`forget_fixed_sizes`] | more | as much, for more launches |
//! | [`with_preconditions`] | those in which the conditions hold | as much, for those launches |
//! | [`add_launch`] | those that a launch of the host program starts | as much, for that launch |
//! | [`by_bytes`] | the same | the same |
//! | [`unwind`] | cut off in the first iteration too many | nothing about later iterations |
//! | [`without_barriers`], [`with_barrier`] | of another kernel | nothing: it is advice about an edit |
//! | [`with_claims`] | the same | as much |
//! | [`without_claims`] | the same | as much, less the claims |
//! | [`with_order`] | of another kernel | nothing: it is advice about an edit |
//! | [`with_range_assumptions`] | those in which the operations stay in range | it is only run, never proved |
//!
//! The crate holds no heuristics: its callers decide which rewrite is worth a try. It
//! never asks a solver, never runs a kernel and never reports anything.
//!
//! [`WellFormed::rewrite`]: duet_ir::WellFormed::rewrite

// A new instruction, annotation or operation does not compile until every place that it
// concerns handles it.
#![warn(clippy::wildcard_enum_match_arm)]

mod annotations;
mod barriers;
mod bytes;
mod claims;
mod fences;
mod fixed_sizes;
mod launches;
mod preconditions;
mod range_assumptions;
mod unwinding;

pub use annotations::{AnnotationFilter, AnnotationOptions, select_annotations, without_claims};
pub use barriers::{BarrierPlace, with_barrier, without_barriers};
pub use bytes::by_bytes;
pub use claims::{BarrierClaim, CellClaim, with_claims};
pub use fences::{OrderEdit, with_order};
pub use fixed_sizes::forget_fixed_sizes;
pub use launches::{Bound, Copies, Extent, LaunchCopy, add_launch, add_location, can_be_moved};
pub use preconditions::with_preconditions;
pub use range_assumptions::with_range_assumptions;
pub use unwinding::{Unwound, unwind};
