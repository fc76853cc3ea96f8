//! Sums: variables that accumulate them, and arrays that threads only add to.

pub mod atomics;
pub mod block_sums;
pub mod folds;
