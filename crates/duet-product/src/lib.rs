//! The pair program: which pieces of a kernel two threads are compared on.
//!
//! A race needs two accesses by two threads. Which barriers order them depends
//! on the narrowest scope that holds both, so the pairs of threads fall into
//! [`Row`]s; within a row, only accesses of one [`Interval`] can race: an interval
//! starts at a barrier of the row (or at the kernel's entry), where the two
//! threads are together, and covers every path from it that meets no further
//! barrier of the row. A [`Region`] is such a set of paths as an acyclic graph.
//!
//! * A loop of the region that holds no barrier of the row is **cut**: its header
//!   stands for an arbitrary iteration, and its back edges lead nowhere. One
//!   arbitrary iteration is just the sample that a race needs.
//! * The header of a loop that holds a barrier of the row is walked
//!   **concretely**: its back edge leads to a further copy of the header, in a
//!   [`Context`] of its own, so that the code after the back edge sees the values
//!   of the code before it. After [`MAX_ITERATIONS`] copies it is cut.
//!
//! How the threads got to the start of an interval is a region too, its
//! **prefix**: from the entry to the barrier with every loop cut. It is walked
//! once; what it says of the two threads at the barrier is what they may share.
//!
//! **Why it is sound.** Every execution path from the start of an interval to an
//! access before the next barrier of the row is a path of the region: either all
//! its edges are edges of the region, or it passes a cut header, which stands for
//! every visit of that header. The argument that intervals may be judged one by
//! one is in docs/soundness.md. This crate builds structure only; terms are made
//! by `duet-vc`.

// A new instruction, annotation or operation does not compile until every place that it
// concerns handles it.
#![warn(clippy::wildcard_enum_match_arm)]

mod display;
mod facts;
mod lockstep;
mod masks;
mod program;
mod reconvergence;
mod region;

pub use facts::{Claims, Exit, FactsOptions, KernelFacts, Snapshot, ghost_insts_of, ghosts_of};
pub use lockstep::Apart;
pub use masks::{ALL_LANES, Lanes, MaskOfPair, Masks};
pub use program::{Family, Interval, Mates, PairProgram, Prefix, Row, Scope, Settings, Start};
pub use reconvergence::all_meet_again;
pub use region::{Context, End, MAX_ITERATIONS, Node, NodeData, Region, RegionBuilder, Successor};
