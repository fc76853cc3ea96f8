//! What an OpenCL or CUDA program does, written down while it runs.
//!
//! Built as a library of C's kind (`libduet_layer.so`), this crate sits between a program
//! and its OpenCL: as a layer of the ICD loader (`OPENCL_LAYERS`), or preloaded
//! (`LD_PRELOAD`) where the loader has no layers. Between a program and CUDA it is preloaded.
//! Every program object, buffer, kernel
//! argument and launch is appended to files in the folder that `DUET_TRACE` names. It
//! changes nothing, waits for nothing and judges nothing.
//!
//! | file | holds |
//! |---|---|
//! | `opencl` | the functions that stand before OpenCL's own |
//! | `cuda` | the functions that stand before CUDA's own |
//! | `graphs` | the same, for the nodes of CUDA's graphs |
//! | `arguments` | the arguments of a launch of CUDA |
//! | `sources` | what `duet cc` kept of the sources of a program |
//! | `writer` | records appended to files that outlive the process |
//! | `place` | where in the program a call comes from |
//! | `record` | what is written: the form of records, written and read |
//!
//! As a crate it offers [`record`] and the names of the files of `duet cc` only: `duet check-trace` reads what the library wrote.

mod arguments;
mod cuda;
mod graphs;
mod opencl;
mod place;
pub mod record;
mod sources;
mod writer;

pub use sources::{KERNELS_SUFFIX, SECTION, TEXT_SUFFIX};
