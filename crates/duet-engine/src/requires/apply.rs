//! A kernel under a precondition: the launch with the dimensions that are 1, and the
//! module with the other statements as preconditions at the kernel's start, as if the
//! user had written them.
//!
//! SOUNDNESS: nothing else treats an inferred precondition in any way of its own. What
//! is proved is proved of the kernel with the annotation, and the annotation is
//! printed (test `the_annotation_gives_the_same_proof`).

use duet_ir::{
    BinaryOp, Dim, Func, FunctionBuilder, Geometry, GeometryKind, IntCc, Language, Type, Value,
    WellFormed,
};
use duet_transform::with_preconditions;
use duet_vc::{Extent, LaunchSpec};

use super::atom::{Atom, Quantity};

/// The launch in which the dimensions that must be 1 are.
pub(super) fn launch(spec: &LaunchSpec, atoms: &[Atom]) -> LaunchSpec {
    let mut spec = spec.clone();
    for atom in atoms {
        match atom {
            Atom::Equal(Quantity::Block(dim), Quantity::Number(1)) => {
                spec.block[dim.index()] = Extent::Number(1);
            }
            Atom::Equal(Quantity::Grid(dim), Quantity::Number(1)) => {
                spec.grid[dim.index()] = Extent::Number(1);
            }
            _ => {}
        }
    }
    spec
}

/// The module in which the kernel has these preconditions.
pub(super) fn module(module: &WellFormed, kernel: Func, atoms: &[Atom]) -> WellFormed {
    with_preconditions(module, kernel, atoms, statement)
}

fn statement(builder: &mut FunctionBuilder<'_>, atom: Atom) -> Value {
    let [a, b] = atom.sides().map(|side| quantity(builder, side));
    let (a, b) = match atom {
        // The text has a cast to the argument's type.
        Atom::AtLeast(_, Quantity::GridTimes(..)) => (builder.resize(a, Type::I64, true), b),
        Atom::AtLeast(..) => (a, builder.resize(b, builder.func.type_of(a), false)),
        _ => same_width(builder, a, b),
    };
    let zero = builder.int(0, builder.func.type_of(a));
    match atom {
        Atom::Equal(..) => builder.compare(IntCc::Eq, a, b),
        Atom::AtMost(..) => builder.compare(IntCc::Ule, a, b),
        Atom::AtLeast(..) => builder.compare(IntCc::Sge, a, b),
        Atom::Multiple(..) => {
            let rest = builder.binary(BinaryOp::URem, a, b);
            builder.compare(IntCc::Eq, rest, zero)
        }
        Atom::PowerOfTwo(_) => {
            let one = builder.int(1, builder.func.type_of(a));
            let less = builder.binary(BinaryOp::Sub, a, one);
            let both = builder.binary(BinaryOp::And, a, less);
            builder.compare(IntCc::Eq, both, zero)
        }
    }
}

/// The narrower one is widened.
fn same_width(builder: &mut FunctionBuilder<'_>, a: Value, b: Value) -> (Value, Value) {
    let types = [a, b].map(|value| builder.func.type_of(value));
    let wider = if types[0].bits() >= types[1].bits() { types[0] } else { types[1] };
    (builder.resize(a, wider, false), builder.resize(b, wider, false))
}

fn quantity(builder: &mut FunctionBuilder<'_>, quantity: Quantity) -> Value {
    match quantity {
        Quantity::Block(dim) => size(builder, GeometryKind::BlockDim, dim),
        Quantity::Grid(dim) => size(builder, GeometryKind::GridDim, dim),
        Quantity::Threads(dim) => {
            let block = size(builder, GeometryKind::BlockDim, dim);
            let grid = size(builder, GeometryKind::GridDim, dim);
            builder.mul(grid, block)
        }
        Quantity::Argument(value) => value,
        Quantity::Number(number) => builder.int(u128::from(number), Type::I32),
        Quantity::Times(number, value) => {
            let number = builder.int(u128::from(number), builder.func.type_of(value));
            builder.mul(number, value)
        }
        Quantity::BlockTimes(number, dim) => {
            let size = size(builder, GeometryKind::BlockDim, dim);
            let number = builder.int(u128::from(number), builder.func.type_of(size));
            builder.mul(number, size)
        }
        Quantity::GridTimes(number, dim) => {
            let blocks = size(builder, GeometryKind::GridDim, dim);
            let blocks = builder.resize(blocks, Type::I64, false);
            let number = builder.int(u128::from(number), Type::I64);
            builder.mul(number, blocks)
        }
        Quantity::Area(one, other) => {
            let [one, other] = [one, other].map(|dim| wide_threads(builder, dim));
            builder.mul(one, other)
        }
        Quantity::Rows(value, dim) => {
            let value = builder.resize(value, Type::I64, false);
            let rows = wide_threads(builder, dim);
            builder.mul(value, rows)
        }
    }
}

/// The threads of the grid along a dimension, in 64 bits.
fn wide_threads(builder: &mut FunctionBuilder<'_>, dim: Dim) -> Value {
    let sizes = [GeometryKind::BlockDim, GeometryKind::GridDim].map(|kind| {
        let size = size(builder, kind, dim);
        builder.resize(size, Type::I64, false)
    });
    builder.mul(sizes[1], sizes[0])
}

/// A size as the source language has it: 32 bits in CUDA, `size_t` in OpenCL.
fn size(builder: &mut FunctionBuilder<'_>, kind: GeometryKind, dim: Dim) -> Value {
    let size = builder.geometry(Geometry { kind, dim });
    match builder.module.language {
        Language::Cuda => size,
        Language::OpenCl => {
            let ty = builder.module.pointer_type();
            builder.resize(size, ty, false)
        }
    }
}
