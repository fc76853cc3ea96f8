//! `duet prove`: kernels compute what their contract says.
mod contract;
mod replay;
pub use contract::{BadContract, Bound, Named};
pub use replay::{Broken, Searched, search};
