//! Every built-in function and intrinsic that the front end translates, against a
//! witness that shares nothing with it: PoCL, or C compiled for the host.
//!
//! The interpreter runs what the translator made, and so do the proofs: a wrong meaning
//! of a function is wrong on both sides. A function that the front end learns is
//! compared at once, or must be given the reason why it cannot be.
//!
//! | file | holds |
//! |---|---|
//! | `values` | numbers to call functions with |
//! | `header`, `calls`, `tables`, `opencl` | OpenCL's built-ins against PoCL |
//! | `cuda`, `cuda_names`, and the folder `cuda` | CUDA's built-ins against C++ for the host |
//! | `intrinsics` | LLVM's intrinsics against LLVM's own code for the host |

mod calls;
#[path = "../common/mod.rs"]
mod common;
mod cuda;
mod cuda_names;
mod header;
mod intrinsics;
mod opencl;
mod tables;
mod values;
