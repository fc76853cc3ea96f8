//! Conditions: from regions of a kernel to terms.
//!
//! [`Encoder`] walks a [`duet_product::Region`] for one thread and yields a
//! [`Walk`]: for every node the condition under which the thread gets there, and
//! for every access, assertion, loop header and end a term for what happens.
//! Regions are acyclic, so each instruction becomes a term once and paths are
//! merged, never enumerated.
//!
//! # What a term means
//!
//! Integers are bit-vectors of their width (`i1` is a truth value), floats are
//! bit-vectors under uninterpreted functions, a `ref` is a 32-bit number that
//! names an array. Division by zero yields an unknown value, so the one that SMT-LIB
//! gives it is never relied on.
//!
//! # What is unknown
//!
//! * A `fresh` value, the result of an atomic operation, an exchange or a call of
//!   an unknown function: a new symbol per thread and visit.
//! * The parameters of a cut header: their closed form over a count of visits
//!   where they have one, else new symbols; constrained by the loop's invariants
//!   only ([`Invariants`]).
//! * Memory: an array that the kernel never writes is one function of the offset,
//!   common to all threads. Any other array is a symbol at the start of a walk
//!   (common to the pair where [`Sharing`] says so), updated by the thread's own
//!   stores, and a new symbol after a cut header of a loop that writes it or
//!   passes a barrier, after a barrier of any scope, and after an atomic.
//!
//! A symbol that stands for one value in two threads makes them equal there; that
//! is claimed only by [`Sharing`], and argued where it is made.

// A new instruction, annotation or operation does not compile until every place that it
// concerns handles it.
#![warn(clippy::wildcard_enum_match_arm)]

mod any_thread;
mod arrivals;
mod claim_terms;
mod encode;
mod folds;
mod invariant_values;
mod launch;
mod memory;
pub mod ops;
mod overflow;
pub mod pairs;
mod statement;
mod sum_ranges;
mod symbols;
mod walk;
mod witness;

pub use claim_terms::array_of_cells;
pub use duet_analysis::{Extent, LaunchSpec, MAX_BLOCK};
pub use encode::{Encoder, Kernel, Sharing, Start, Visits};
pub use folds::laws as laws_of_folds;
pub use invariant_values::LoopView;
pub use launch::{Geometry, ThreadTerms, argument_name};
pub use memory::Memory;
pub use ops::{
    binary as binary_term, cast as cast_term, float_compare as float_compare_term,
    unary as unary_term, uninterpreted as uninterpreted_term,
};
pub use overflow::{InRange, keeps_its_value, may_be_assumed, stays_in_range};
pub use pairs::{
    Group, Log, Logged, PairWalk, Place, Premises, Reading, Steps, Walker, walk_group,
};
pub use statement::{Candidate, Expr, Invariants, Source};
pub use symbols::{Origin, Side, Symbol, Symbols};
pub use walk::{
    AboutOthers, AfterBarrier, Assumption, CellTerm, ClaimTerm, EndTerm, HeaderEdge, HeaderTerm,
    ObligationTerm, OtherTerm, Point, SiteTerm, Unseen, Walk,
};
pub use witness::{Position, Scalar, Touched, Witness};
