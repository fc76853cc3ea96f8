//! What the shells (command line, benchmark, later an editor server) call, as plain data:
//! the header of a kernel file ([`Header`]), launch sizes ([`LaunchSizes`]), the one way in
//! which a file is read ([`load`]), the check of a
//! kernel ([`check`]) with its report in the user's words ([`describe`]), preconditions
//! that make a kernel proved ([`requires`]) and barriers that mend it ([`mend`]).
//!
//! This crate depends on no terminal, no protocol and no reader of command
//! lines, and prints nothing.

pub mod check;
pub mod describe;
mod launch;
pub mod load;
pub mod programs;
pub mod prove;
mod report;
pub mod requires;
mod sizes;
pub mod tools;

pub use duet_frontend::{Expectation, Header, HeaderError};
pub use duet_mend as mend;
pub use duet_refute as refute;

pub use report::Report;
pub use sizes::{LaunchError, LaunchSizes, Size, SizeError, SizeName, Sizes};
