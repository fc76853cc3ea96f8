//! Barriers that a kernel could do without, barriers that it lacks, and fences, scopes and
//! volatile accesses that it lacks.
//!
//! All ask the same question as [`crate::check`]: a copy of the kernel, with one barrier
//! less or one more, or with another line, is checked like any other. What is said rests on that check
//! alone; here it is only decided which copies are worth one.

mod missing;
mod order;
mod redundant;

pub use missing::{Checked, Confirm, Place, Suggestion, is_mended, suggest_barriers};
pub use order::{Source, order_fixes};
pub use redundant::{RedundantBarrier, redundant_barriers};
