//! What operations compute, on bit patterns. Nothing here knows threads or memory.
//!
//! | file | holds |
//! |---|---|
//! | `eval` | integer operations of any width |
//! | `float` | the float formats and their arithmetic |
//! | `math` | the functions behind `pure` |
//! | `rounding` | conversions that name how they round |
//! | `random` | values that are not specified, the same for the same seed |

pub(crate) mod eval;
pub(crate) mod float;
pub(crate) mod math;
pub(crate) mod random;
mod rounding;
