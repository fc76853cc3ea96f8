//! Barriers that a kernel could do without, and barriers that it lacks.
//!
//! Both ask the same question as [`duet_check`]: a copy of the kernel, with one barrier
//! less or one more, is checked like any other. What is said rests on that check
//! alone; here it is only decided which copies are worth one.

mod missing;
mod redundant;

pub use missing::{Checked, Confirm, Place, Suggestion, is_mended, suggest_barriers};
pub use redundant::{RedundantBarrier, redundant_barriers};
