//! The other side of the differential test: conformance kernels run on PoCL.
//!
//! A conformance kernel is an OpenCL file under `kernels/conformance` whose
//! header says how to launch it and what its buffers hold (the format is
//! described in the README there). This crate reads that header ([`Case`]),
//! makes the same starting contents on every machine ([`Case::initial_buffers`]),
//! runs the kernel on PoCL, an OpenCL implementation for CPUs
//! ([`run_on_pocl`]), and hands back the contents of all buffers ([`Buffers`]),
//! which say where two runs differ ([`Buffers::first_difference`]).
//!
//! It knows nothing of the kernel IR or the interpreter: it is the independent
//! witness that the interpreter is compared with.
//!
//! OpenCL is called through a handful of functions loaded at run time rather
//! than through a binding crate: the workspace then builds on machines without
//! an OpenCL library, its absence is an ordinary error, and a few hundred lines
//! suffice for the one call sequence that is needed.

mod buffers;
mod case;
mod generator;
mod opencl;
mod pocl;

pub use buffers::{Buffer, Buffers, Difference, Element, Fill};
pub use case::{Arg, BufferSpec, Case, CaseError, Launch, LocalSpec, ScalarSpec};
pub use generator::Generator;
pub use opencl::OpenClError;
pub use pocl::{BUILD_OPTIONS, Pocl, PoclDevice, PoclError, run_on_pocl};
