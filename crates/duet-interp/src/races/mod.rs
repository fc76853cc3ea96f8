//! Which accesses race.
//!
//! | file | holds |
//! |---|---|
//! | `clocks` | what fences and flags order |
//! | `order` | time stamps of barriers: what is ordered |
//! | `shadow` | the log of each array: what a later access may race with |

pub(crate) mod clocks;
pub(crate) mod order;
pub(crate) mod shadow;
