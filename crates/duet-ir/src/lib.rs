//! The kernel IR: what a GPU kernel means to every later stage of Duet.
//!
//! A [`Module`] holds everything read from one source file: *arrays* (every
//! piece of memory a kernel can touch), *functions* (kernels, and device
//! functions when inlining is off) and the source locations of both. All nodes
//! live in tables keyed by typed 32-bit ids; spans and source names are side
//! tables. This crate runs no pass and reads no file.
//!
//! # Values
//!
//! A function is a control-flow graph of blocks with parameters (no phis). A
//! [`Value`] is defined once: by an instruction, as a block parameter, or as a
//! constant. Types ([`Type`]) are scalar: integers of 1 to 128 bits (no sign;
//! operations carry it), the four IEEE-like float formats as bit patterns, and
//! `ref`, a reference to an array or null. Vectors and structs of the source
//! are split into their scalar leaves before they get here.
//!
//! * Integer arithmetic wraps, two's complement. The flag `nsw` on an operation
//!   records that the source language leaves signed overflow undefined there; it
//!   never changes the result. Nor does `into_signed` on unsigned arithmetic and on
//!   `trunc`: the source puts the result into a signed variable right away.
//! * Division and remainder by zero have an unspecified result and are a defect
//!   of their own. The most negative number divided by minus one wraps.
//! * A shift by the width or more yields 0 (`shl`, `lshr`) or the sign (`ashr`).
//! * Float to integer conversion saturates and maps NaN to 0.
//! * `pure` calls are functions of their name and arguments, nothing else.
//! * `fresh` is an unknown: a different one per thread and per execution of the
//!   instruction (uninitialised variables, clocks, functions without a body).
//!
//! # Memory
//!
//! A pointer of the source is a pair: a `ref` value and a byte offset of the
//! module's pointer width. An access names its array statically; a pointer that
//! may point into several arrays has been split into cases before. Distinct
//! arrays never overlap. An access touches `lanes` consecutive elements of its
//! type starting at the byte offset, little-endian. Each array has a space:
//!
//! | space | one instance per | initial contents |
//! |---|---|---|
//! | `global` | launch | arbitrary, or the initialiser |
//! | `constant` | launch; never written | arbitrary, or the initialiser |
//! | `shared` | block | arbitrary |
//! | `private` | thread | arbitrary |
//!
//! `granule` is the element size in bytes at which the array may be modelled:
//! every access to the array is a whole number of granules at a granule-aligned
//! offset. It is 1 where accesses do not agree.
//!
//! # Threads
//!
//! A launch is a grid of blocks of threads; a warp is 32 consecutive threads of
//! a block in flat order, x fastest. Threads run independently, never in lock
//! step. `barrier` makes the threads of its scope wait for one another and
//! orders their accesses to the spaces in its flags; a warp barrier does so for
//! the lanes of its mask. Warp exchanges (shuffle, vote, match, reduce) align
//! the lanes of their mask and exchange values, and order no memory. Fences
//! order nothing by themselves. An asynchronous copy is done by an agent of its
//! own between the call and the wait for its event.
//!
//! # Ends
//!
//! `return` ends the thread. `halt` ends a path that has failed (after a trap or
//! an assertion that is false): it is no end of the kernel.
//!
//! # Annotations
//!
//! [`AnnotationKind`] statements and [`GhostKind`] values carry the annotations
//! of the source, unevaluated: the interpreter and the prover give them meaning.

// A new instruction, annotation or operation does not compile until every place that it
// concerns handles it.
#![warn(clippy::wildcard_enum_match_arm)]

mod annotation;
mod builder;
mod captured;
mod diagnostic;
mod effects;
mod entities;
mod function;
mod inst;
mod module;
mod operation;
mod place;
mod rule;
mod text;
mod types;
mod well_formed;

pub use annotation::{AnnotationKind, AssertKind, FoldOp, GhostKind, is_read_permission};
pub use builder::FunctionBuilder;
pub use captured::{Captured, ScalarType};
pub use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};
pub use diagnostic::{Diagnostic, Fix, Severity, SourceSpan};
pub use effects::{AccessMode, Effect};
pub use entities::{Array, Block, File, Func, Inst, Loc, Value};
pub use function::{
    ArrayParam, BlockData, Const, Function, FunctionKind, Param, ParamKind, ScalarParam, ValueDef,
};
pub use inst::{
    ASYNCHRONOUS_COPY, Access, AtomicOp, BarrierScope, BinaryOp, CastOp, Cause, Edge, ExchangeOp,
    FenceScope, FenceSpaces, FloatCc, Geometry, GeometryKind, InstData, IntCc, MemoryOrder,
    MemoryScope, Reduction, Terminator, UnaryOp,
};
pub use module::{ArrayData, ArrayOrigin, FileData, Found, Language, LocData, Module, Space};
pub use operation::Operation;
pub use place::Place;
pub use rule::{NoSuchRule, Rule};
pub use text::{ParseError, SourceLines};
pub use types::{Dim, FloatType, Type};
pub use well_formed::{
    WellFormed, WellFormedError, WellFormedRule, check_well_formed, well_formed_errors,
};
