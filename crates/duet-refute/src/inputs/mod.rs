//! What a run is made of: launches, scalar arguments, first contents of arrays, and
//! pointers to the same memory, each in the order in which they are tried.

mod aliases;
mod arguments;
mod contents;
mod launches;

pub(crate) use aliases::Aliases;
pub(crate) use arguments::{Arguments, Comparison, comparisons, constants};
pub(crate) use contents::Contents;
