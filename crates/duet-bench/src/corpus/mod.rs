//! The files of a run: those below a folder, or one part of them.

mod find;
mod shard;

pub(crate) use find::fingerprint;
pub use find::{KernelFile, Search, find_kernels};
pub use shard::Shard;
