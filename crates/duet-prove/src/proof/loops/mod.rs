//! Loops: where the threads of a block meet, counters, and what is known at heads.

pub mod cells;
pub mod counters;
pub mod cuts;
pub mod heads;
pub mod invariants;
pub mod steps;
