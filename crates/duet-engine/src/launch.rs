//! The launch that a kernel is checked for.

use duet_ir::{Dim, Function, FunctionKind, GeometryKind, InstData, Module, ScalarParam};
use duet_vc::{Extent, LaunchSpec, MAX_BLOCK};

use crate::sizes::{LaunchSizes, Size, Sizes};

/// The sizes that were given; where none were, any number, but 1 for a y or z
/// dimension of the block (the grid) of which the kernel reads no id and no size.
pub fn launch_spec(func: &Function, sizes: &LaunchSizes) -> LaunchSpec {
    let (required, bound) = match func.kind {
        FunctionKind::Kernel { required_block, max_threads } => (required_block, max_threads),
        FunctionKind::Device => (None, None),
    };
    let most_threads = bound.map_or(MAX_BLOCK, |bound| bound.min(MAX_BLOCK));
    let block = match (&sizes.block, required) {
        (Some(given), _) => extents(given),
        (None, Some(required)) => required.map(Extent::Number),
        (None, None) => default_extents(func, &[GeometryKind::ThreadId, GeometryKind::BlockDim]),
    };
    let grid = match sizes.grid() {
        Ok(Some(given)) => extents(&given),
        _ => default_extents(func, &[GeometryKind::BlockId, GeometryKind::GridDim]),
    };
    let mut global_offset = [0; 3];
    if let Some(offset) = &sizes.offset {
        for (value, size) in global_offset.iter_mut().zip(&offset.0) {
            if let Size::Number(number) = size {
                *value = *number;
            }
        }
    }
    let rank = sizes.grid().ok().flatten().map_or(3, |given| given.0.len());
    LaunchSpec { block, grid, global_offset, work_dim: rank as u32, most_threads }
}

/// Given sizes; missing dimensions are 1.
fn extents(sizes: &Sizes) -> [Extent; 3] {
    let mut extents = [Extent::Number(1); 3];
    for (extent, size) in extents.iter_mut().zip(&sizes.0) {
        *extent = match size {
            Size::Number(number) => Extent::Number(*number),
            Size::Any => Extent::Free,
        };
    }
    extents
}

fn default_extents(func: &Function, kinds: &[GeometryKind]) -> [Extent; 3] {
    Dim::ALL.map(|dim| match dim == Dim::X || reads(func, kinds, dim) {
        true => Extent::Free,
        false => Extent::Number(1),
    })
}

/// Does the kernel read such an id or size along the dimension, other than to flatten ids
/// into a rank?
fn reads(func: &Function, kinds: &[GeometryKind], dim: Dim) -> bool {
    func.insts_in_order().any(|inst| match &func.insts[inst] {
        InstData::Geometry(geometry) => {
            geometry.dim == dim
                && kinds.contains(&geometry.kind)
                && !func.flattened.contains(geometry)
        }
        _ => false,
    })
}

/// Threads along each dimension, where they are given and blocks don't follow
/// from them because the block's size is free.
pub fn global_size(sizes: &LaunchSizes) -> [Option<u32>; 3] {
    let mut given = [None; 3];
    for (slot, size) in given.iter_mut().zip(sizes.global.iter().flat_map(|sizes| &sizes.0)) {
        if let Size::Number(number) = size {
            *slot = Some(*number);
        }
    }
    given
}

/// The values of a kernel's scalar parameters, checked against its signature.
pub fn argument_values(
    func: &Function,
    given: &[Option<u128>],
) -> Result<Vec<Option<u128>>, String> {
    let scalars: Vec<_> = func.scalar_params().collect();
    check_count(func, "scalar", scalars.len(), given.len())?;
    for (ScalarParam { name, ty, .. }, value) in scalars.iter().zip(given) {
        let width = ty.bits().unwrap_or(128);
        if value.is_some_and(|bits| width < 128 && bits >> width != 0) {
            return Err(format!("the value of `{name}` does not fit into {width} bits"));
        }
    }
    Ok(given.to_vec())
}

/// The sizes of the arrays behind a kernel's pointer parameters, checked against
/// its signature.
pub fn array_sizes(
    module: &Module,
    func: &Function,
    given: &[Option<u64>],
) -> Result<Vec<Option<u64>>, String> {
    let pointers: Vec<_> =
        func.array_params().map(|param| (param.name, &module.arrays[param.array])).collect();
    check_count(func, "pointer", pointers.len(), given.len())?;
    for ((name, data), size) in pointers.iter().zip(given) {
        let element = u64::from(data.granule.max(1));
        if size.is_some_and(|size| size % element != 0) {
            return Err(format!(
                "the size of `{name}` is not a multiple of its element's size, {element} bytes"
            ));
        }
    }
    Ok(given.to_vec())
}

fn check_count(func: &Function, what: &str, wanted: usize, given: usize) -> Result<(), String> {
    match wanted == given {
        true => Ok(()),
        false => Err(format!(
            "kernel `{}` has {wanted} {what} parameters, but {given} values are given",
            func.name
        )),
    }
}
