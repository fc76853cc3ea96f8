//! Work-item functions: ids and sizes of the launch.
//!
//! The IR's ids are 32 bits wide and are zero-extended to `size_t` before any
//! arithmetic. Work-groups are uniform (no remainder groups), so the enqueued
//! local size is the local size. A dimension that is not 0, 1 or 2 gives 0 for
//! ids and 1 for sizes; one that is not constant becomes a choice.

use duet_ir::{Dim, FunctionBuilder, Geometry, GeometryKind, IntCc, Type, Value};

use super::Call;

/// Builds a function's value along one dimension, as `size_t`.
type AlongDimension = fn(&mut FunctionBuilder, Dim, Type) -> Value;

pub(super) fn lower(b: &mut FunctionBuilder, call: &Call) -> Option<Vec<Value>> {
    let ty = call.result.ty;
    let (beyond, value): (u128, AlongDimension) = match call.base() {
        "get_local_id" => (0, |b, dim, ty| geometry(b, GeometryKind::ThreadId, dim, ty)),
        "get_group_id" => (0, |b, dim, ty| geometry(b, GeometryKind::BlockId, dim, ty)),
        "get_global_offset" => (0, |b, dim, ty| geometry(b, GeometryKind::GlobalOffset, dim, ty)),
        "get_global_id" => (0, global_id),
        "get_local_size" | "get_enqueued_local_size" => {
            (1, |b, dim, ty| geometry(b, GeometryKind::BlockDim, dim, ty))
        }
        "get_num_groups" => (1, |b, dim, ty| geometry(b, GeometryKind::GridDim, dim, ty)),
        "get_global_size" => (1, global_size),
        "get_work_dim" if call.args.is_empty() => {
            return Some(vec![geometry(b, GeometryKind::WorkDim, Dim::X, ty)]);
        }
        "get_local_linear_id" if call.args.is_empty() => return Some(vec![local_linear_id(b, ty)]),
        "get_global_linear_id" if call.args.is_empty() => {
            return Some(vec![global_linear_id(b, ty)]);
        }
        _ => return None,
    };
    let [dimension] = call.args.first()?[..] else { return None };
    let beyond = b.int(beyond, ty);
    Some(vec![by_dimension(b, dimension, beyond, |b, dim| value(b, dim, ty))])
}

/// The value of the dimension asked for, only that one if it is a constant.
fn by_dimension(
    b: &mut FunctionBuilder,
    dimension: Value,
    beyond: Value,
    value: impl Fn(&mut FunctionBuilder, Dim) -> Value,
) -> Value {
    if let Some(index) = b.func.const_bits(dimension) {
        let dim = usize::try_from(index).ok().and_then(|index| Dim::ALL.get(index));
        return dim.map_or(beyond, |&dim| value(b, dim));
    }
    let mut result = beyond;
    for dim in Dim::ALL.into_iter().rev() {
        let index = super::ops::constant(b, dim.index() as u128, dimension);
        let here = b.compare(IntCc::Eq, dimension, index);
        let there = value(b, dim);
        result = b.select(here, there, result);
    }
    result
}

fn geometry(b: &mut FunctionBuilder, kind: GeometryKind, dim: Dim, ty: Type) -> Value {
    let value = b.geometry(Geometry { kind, dim });
    b.resize(value, ty, false)
}

/// Position along a dimension, the offset left out: group * local size + local id.
fn position(b: &mut FunctionBuilder, dim: Dim, ty: Type) -> Value {
    let group = geometry(b, GeometryKind::BlockId, dim, ty);
    let size = geometry(b, GeometryKind::BlockDim, dim, ty);
    let local = geometry(b, GeometryKind::ThreadId, dim, ty);
    let start = b.mul(group, size);
    b.add(start, local)
}

fn global_id(b: &mut FunctionBuilder, dim: Dim, ty: Type) -> Value {
    let position = position(b, dim, ty);
    let offset = geometry(b, GeometryKind::GlobalOffset, dim, ty);
    b.add(position, offset)
}

fn global_size(b: &mut FunctionBuilder, dim: Dim, ty: Type) -> Value {
    let groups = geometry(b, GeometryKind::GridDim, dim, ty);
    let size = geometry(b, GeometryKind::BlockDim, dim, ty);
    b.mul(groups, size)
}

/// (z * size_y + y) * size_x + x
fn linear(b: &mut FunctionBuilder, [x, y, z]: [Value; 3], size_x: Value, size_y: Value) -> Value {
    let plane = b.mul(z, size_y);
    let row = b.add(plane, y);
    let start = b.mul(row, size_x);
    b.add(start, x)
}

fn local_linear_id(b: &mut FunctionBuilder, ty: Type) -> Value {
    let ids = Dim::ALL.map(|dim| geometry(b, GeometryKind::ThreadId, dim, ty));
    let size_x = geometry(b, GeometryKind::BlockDim, Dim::X, ty);
    let size_y = geometry(b, GeometryKind::BlockDim, Dim::Y, ty);
    linear(b, ids, size_x, size_y)
}

/// The specification subtracts the offset from the global id; the position never
/// had it.
fn global_linear_id(b: &mut FunctionBuilder, ty: Type) -> Value {
    let positions = Dim::ALL.map(|dim| position(b, dim, ty));
    let size_x = global_size(b, Dim::X, ty);
    let size_y = global_size(b, Dim::Y, ty);
    linear(b, positions, size_x, size_y)
}
