//! What an OpenCL program does, written down while it runs.
//!
//! Built as a library of C's kind (`libduet_layer.so`), this crate sits between a program
//! and its OpenCL: as a layer of the ICD loader (`OPENCL_LAYERS`), or preloaded
//! (`LD_PRELOAD`) where the loader has no layers. Every program object, buffer, kernel
//! argument and launch is appended to files in the folder that `DUET_TRACE` names. It
//! changes nothing, waits for nothing and judges nothing.
//!
//! | file | holds |
//! |---|---|
//! | `opencl` | the functions that stand before OpenCL's own |
//! | `writer` | records appended to files that outlive the process |
//! | `place` | where in the program a call comes from |
//! | `record` | what is written: the form of records, written and read |
//!
//! As a crate it offers [`record`] only: `duet check-trace` reads what the library wrote.

mod opencl;
mod place;
pub mod record;
mod writer;
