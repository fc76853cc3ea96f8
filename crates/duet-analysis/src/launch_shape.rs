//! What is known of a launch: each size a number, or any number within the limits
//! that DESIGN's meaning 2 assumes for free sizes.

use std::fmt;

use duet_ir::Dim;

/// Most threads of a block with a free dimension.
pub const MAX_BLOCK_THREADS: u32 = 1024;
/// Most blocks along y or z, where free.
pub const MAX_GRID_YZ: u32 = 65535;
/// Most threads along a dimension with a free size; also most blocks along x.
pub const MAX_THREADS_ALONG: u32 = i32::MAX as u32;

/// A size of the launch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Size {
    /// This number.
    Known(u32),
    /// Any number that the limits allow.
    #[default]
    Any,
}

/// The sizes of a launch.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LaunchShape {
    /// Threads of a block along x, y, z.
    pub block: [Size; 3],
    /// Blocks of the grid along x, y, z.
    pub grid: [Size; 3],
    /// Added to OpenCL global ids. `Any` is any 32-bit number.
    pub global_offset: [Size; 3],
    /// What `get_work_dim` yields: `Any` is 1 to 3.
    pub work_dim: Size,
}

impl LaunchShape {
    /// Nothing is known.
    pub fn any() -> LaunchShape {
        LaunchShape::default()
    }

    /// All sizes are known, and there is no global offset.
    pub fn known(grid: [u32; 3], block: [u32; 3]) -> LaunchShape {
        LaunchShape {
            block: block.map(Size::Known),
            grid: grid.map(Size::Known),
            global_offset: [Size::Known(0); 3],
            work_dim: Size::Any,
        }
    }

    /// The least and greatest number of threads of a block along a dimension.
    pub fn block_dim(&self, dim: Dim) -> (u32, u32) {
        match self.block[dim.index()] {
            Size::Known(size) => (size, size),
            Size::Any => (1, self.free_block_limit()),
        }
    }

    /// The least and greatest number of blocks along a dimension.
    pub fn grid_dim(&self, dim: Dim) -> (u32, u32) {
        match self.grid[dim.index()] {
            Size::Known(size) => (size, size),
            Size::Any => {
                let limit = if dim == Dim::X { MAX_THREADS_ALONG } else { MAX_GRID_YZ };
                let (threads, _) = self.block_dim(dim);
                (1, limit.min(MAX_THREADS_ALONG / threads.max(1)).max(1))
            }
        }
    }

    /// Is there a limit on the number of threads along the dimension? There is
    /// where a size is free; given sizes are taken as given.
    pub fn limits_threads_along(&self, dim: Dim) -> bool {
        let free = |size: Size| size == Size::Any;
        free(self.block[dim.index()]) || free(self.grid[dim.index()])
    }

    /// What is left of the threads of a block for one free dimension. Given
    /// sizes beyond the limit are taken as given and leave the limit as it is.
    fn free_block_limit(&self) -> u32 {
        let known = self.block.iter().map(|size| match size {
            Size::Known(size) => u64::from(*size),
            Size::Any => 1,
        });
        let product = known.fold(1u64, u64::saturating_mul).max(1);
        match u64::from(MAX_BLOCK_THREADS) / product {
            0 => MAX_BLOCK_THREADS,
            rest => rest as u32,
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Size::Known(size) => write!(f, "{size}"),
            Size::Any => f.write_str("*"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_apply_to_free_sizes_only() {
        let mut shape = LaunchShape::any();
        assert_eq!(shape.block_dim(Dim::Y), (1, 1024));
        assert_eq!(shape.grid_dim(Dim::X), (1, MAX_THREADS_ALONG));
        assert_eq!(shape.grid_dim(Dim::Z), (1, 65535));
        shape.block = [Size::Known(64), Size::Any, Size::Known(4)];
        assert_eq!(shape.block_dim(Dim::Y), (1, 4));
        assert_eq!(shape.grid_dim(Dim::X), (1, MAX_THREADS_ALONG / 64));
        // Given numbers are taken as given, beyond the limits too.
        shape.block = [Size::Known(2048), Size::Any, Size::Any];
        shape.grid = [Size::Known(u32::MAX); 3];
        assert_eq!(shape.block_dim(Dim::X), (2048, 2048));
        assert_eq!(shape.block_dim(Dim::Y), (1, 1024));
        assert_eq!(shape.grid_dim(Dim::Y), (u32::MAX, u32::MAX));
        assert!(!shape.limits_threads_along(Dim::X) && shape.limits_threads_along(Dim::Y));
    }
}
