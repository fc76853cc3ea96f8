//! The launch that a kernel is checked for: each size a number, or any number within the
//! limits of the hardware.

use std::fmt;

use duet_ir::Dim;

/// Most threads of a block with a free dimension, whatever the kernel says.
pub const MAX_BLOCK: u32 = 1024;
/// Most blocks along y or z, where free.
pub const MAX_GRID_YZ: u32 = 65535;
/// Most threads along a dimension with a free size; also most blocks along x.
pub const MAX_THREADS_ALONG: u32 = i32::MAX as u32;

/// A size along one dimension.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Extent {
    /// This number.
    Number(u32),
    /// Any positive number within the hardware's limits.
    #[default]
    Free,
}

/// The launch that a kernel is checked for: analyses, proofs and the search for runs all
/// take this one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LaunchSpec {
    /// Threads of a block along x, y, z.
    pub block: [Extent; 3],
    /// Blocks of the grid along x, y, z.
    pub grid: [Extent; 3],
    /// Added to OpenCL's global ids.
    pub global_offset: [u32; 3],
    /// What `get_work_dim` yields.
    pub work_dim: u32,
    /// A block whose sizes are free has no more threads.
    pub most_threads: u32,
}

impl Default for LaunchSpec {
    fn default() -> LaunchSpec {
        LaunchSpec::any()
    }
}

impl LaunchSpec {
    /// All sizes are free.
    pub fn any() -> LaunchSpec {
        LaunchSpec {
            block: [Extent::Free; 3],
            grid: [Extent::Free; 3],
            global_offset: [0; 3],
            work_dim: 3,
            most_threads: MAX_BLOCK,
        }
    }

    /// All sizes are known, and there is no global offset.
    pub fn known(grid: [u32; 3], block: [u32; 3]) -> LaunchSpec {
        let (block, grid) = (block.map(Extent::Number), grid.map(Extent::Number));
        LaunchSpec { block, grid, ..LaunchSpec::any() }
    }

    /// The least and greatest number of threads of a block along a dimension.
    pub fn block_dim(&self, dim: Dim) -> (u32, u32) {
        match self.block[dim.index()] {
            Extent::Number(size) => (size, size),
            Extent::Free => (1, self.free_block_limit()),
        }
    }

    /// The least and greatest number of blocks along a dimension.
    pub fn grid_dim(&self, dim: Dim) -> (u32, u32) {
        match self.grid[dim.index()] {
            Extent::Number(size) => (size, size),
            Extent::Free => {
                let limit = if dim == Dim::X { MAX_THREADS_ALONG } else { MAX_GRID_YZ };
                let (threads, _) = self.block_dim(dim);
                (1, limit.min(MAX_THREADS_ALONG / threads.max(1)).max(1))
            }
        }
    }

    /// Is there a limit on the number of threads along the dimension? There is
    /// where a size is free; given sizes are taken as given.
    pub fn limits_threads_along(&self, dim: Dim) -> bool {
        let free = |size: Extent| size == Extent::Free;
        free(self.block[dim.index()]) || free(self.grid[dim.index()])
    }

    /// What is left of the threads of a block for one free dimension. Given
    /// sizes beyond the limit are taken as given and leave the limit as it is.
    fn free_block_limit(&self) -> u32 {
        let known = self.block.iter().map(|size| match size {
            Extent::Number(size) => u64::from(*size),
            Extent::Free => 1,
        });
        let product = known.fold(1u64, u64::saturating_mul).max(1);
        match u64::from(MAX_BLOCK) / product {
            0 => MAX_BLOCK,
            rest => rest as u32,
        }
    }
}

impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Extent::Number(size) => write!(f, "{size}"),
            Extent::Free => f.write_str("*"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_apply_to_free_sizes_only() {
        let mut shape = LaunchSpec::any();
        assert_eq!(shape.block_dim(Dim::Y), (1, 1024));
        assert_eq!(shape.grid_dim(Dim::X), (1, MAX_THREADS_ALONG));
        assert_eq!(shape.grid_dim(Dim::Z), (1, 65535));
        shape.block = [Extent::Number(64), Extent::Free, Extent::Number(4)];
        assert_eq!(shape.block_dim(Dim::Y), (1, 4));
        assert_eq!(shape.grid_dim(Dim::X), (1, MAX_THREADS_ALONG / 64));
        // Given numbers are taken as given, beyond the limits too.
        shape.block = [Extent::Number(2048), Extent::Free, Extent::Free];
        shape.grid = [Extent::Number(u32::MAX); 3];
        assert_eq!(shape.block_dim(Dim::X), (2048, 2048));
        assert_eq!(shape.block_dim(Dim::Y), (1, 1024));
        assert_eq!(shape.grid_dim(Dim::Y), (u32::MAX, u32::MAX));
        assert!(!shape.limits_threads_along(Dim::X) && shape.limits_threads_along(Dim::Y));
    }
}
