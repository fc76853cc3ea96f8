//! Which accesses race.
//!
//! | file | holds |
//! |---|---|
//! | `order` | time stamps of barriers: what is ordered |
//! | `shadow` | the log of each array: what a later access may race with |

pub(crate) mod order;
pub(crate) mod shadow;
