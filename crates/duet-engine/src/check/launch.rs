//! The launch that a kernel is checked for.

use duet_ir::{Dim, Function, FunctionKind, GeometryKind, InstData};
use duet_vc::{Extent, LaunchSpec};

use crate::sizes::{LaunchSizes, Size, Sizes};

/// The sizes that were given; where none were, any number, but 1 for a y or z
/// dimension whose ids the kernel never reads.
pub fn launch_spec(func: &Function, sizes: &LaunchSizes) -> LaunchSpec {
    let required = match func.kind {
        FunctionKind::Kernel { required_block, .. } => required_block,
        FunctionKind::Device => None,
    };
    let block = match (&sizes.block, required) {
        (Some(given), _) => extents(given),
        (None, Some(required)) => required.map(Extent::Number),
        (None, None) => default_extents(func),
    };
    let grid = match sizes.grid() {
        Ok(Some(given)) => extents(&given),
        _ => default_extents(func),
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
    LaunchSpec { block, grid, global_offset, work_dim: rank as u32 }
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

fn default_extents(func: &Function) -> [Extent; 3] {
    Dim::ALL.map(|dim| match dim == Dim::X || reads_id(func, dim) {
        true => Extent::Free,
        false => Extent::Number(1),
    })
}

/// Does the kernel read a thread or block id along the dimension?
fn reads_id(func: &Function, dim: Dim) -> bool {
    func.layout.iter().flat_map(|&block| &func.blocks[block].insts).any(|&inst| {
        matches!(
            &func.insts[inst],
            InstData::Geometry(geometry)
                if geometry.dim == dim
                    && matches!(geometry.kind, GeometryKind::ThreadId | GeometryKind::BlockId)
        )
    })
}
