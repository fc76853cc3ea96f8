//! What the shells (command line, benchmark, later an editor server) share, as
//! plain data: the header of a kernel file ([`Header`]) and launch sizes
//! ([`LaunchSizes`]).
//!
//! This crate depends on no terminal, no protocol and no reader of command
//! lines, and prints nothing.

mod bounded;
pub mod check;
mod header;
pub mod mend;
mod refuting;
pub mod requires;
mod sizes;
pub mod tools;

pub use duet_refute as refute;

pub use bounded::{Unwound, unwind};
pub use header::{Expectation, Header, HeaderError};
pub use sizes::{LaunchSizes, Size, SizeError, Sizes};
