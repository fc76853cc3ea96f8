//! The launches that are tried: what the setting gives, and small sizes where it
//! gives none. Free sizes keep to the limits that the verdict assumes, and to the
//! bound of the kernel's `__launch_bounds__`.

use duet_interp::Launch;
use duet_ir::{FunctionKind, Geometry, GeometryKind, Operation};
use duet_vc::{Extent, LaunchSpec, Witness};

use super::RunMaker;
use super::arguments::source;

/// Threads of a block of free size.
const MOST_OF_BLOCK: u32 = 1024;
/// Threads of a launch of free size that is tried.
const MOST_THREADS: u64 = 4096;
/// Threads of a block and blocks, in the order in which free sizes are tried.
const SMALL: [(u32, u32); 12] = [
    (2, 1),
    (1, 2),
    (2, 2),
    (4, 1),
    (3, 2),
    (8, 2),
    (33, 1),
    (16, 4),
    (64, 2),
    (1, 1),
    (128, 1),
    (256, 4),
];

/// Blocks of a large launch, threads of a block of free size there, and the most threads.
const MANY_BLOCKS: [u32; 3] = [1 << 12, 1 << 16, 1 << 20];
const LARGE_BLOCK: u32 = 128;
const MOST_OF_LARGE: u64 = 1 << 31;

impl RunMaker<'_> {
    /// The launches to try: small ones, then those of models.
    pub(crate) fn launches(&self, models: &[&Witness]) -> Vec<Launch> {
        let spec = &self.setting.launch;
        if !is_free(spec) {
            return vec![self.launch(fixed(&spec.block, 1), fixed(&spec.grid, 1))];
        }
        let mut launches = vec![];
        let mut add = |launch: Launch| {
            let fits = launch.threads() <= MOST_THREADS && self.is_possible(&launch);
            if fits && !launches.contains(&launch) {
                launches.push(launch);
            }
        };
        for model in models {
            if model.threads.len() > 1 {
                add(self.launch(model.block_dim, model.grid_dim));
            }
        }
        for sizes in [self.stated_sizes(), [spec.block, spec.grid]] {
            for (block, grid) in SMALL {
                self.of_sizes(&sizes, block, grid).into_iter().for_each(&mut add);
            }
        }
        for model in models {
            add(self.launch(model.block_dim, model.grid_dim));
        }
        // A launch that breaks a precondition shows nothing. Small ones are easier to read,
        // wherever they come from.
        let [block, grid] = self.stated_sizes();
        let is_stated =
            |launch: &Launch| agrees(&block, &launch.block) && agrees(&grid, &launch.grid);
        launches.sort_by_key(|launch| (!is_stated(launch), launch.threads() > 64));
        launches
    }

    /// Launches of many blocks, where their number is free and a few of them can be run by
    /// themselves: a loop over a large array comes to its end soon only in a large grid.
    pub(crate) fn large_launches(&self) -> Vec<Launch> {
        let spec = &self.setting.launch;
        let is_free = spec.grid[0] == Extent::Free && self.setting.global_size == [None; 3];
        if !(is_free && self.may_run_some_blocks) {
            return vec![];
        }
        let of_blocks = |blocks| {
            self.launch(with_free(&spec.block, LARGE_BLOCK, 1), with_free(&spec.grid, blocks, 1))
        };
        let fits = |launch: &Launch| launch.threads() < MOST_OF_LARGE && self.is_possible(launch);
        MANY_BLOCKS.into_iter().map(of_blocks).filter(fits).collect()
    }

    /// Can there be such a launch? SOUNDNESS: what only a launch shows that fails to
    /// start is no defect (kernels/soundness/40-block-limit-fine,
    /// 41-launch-bounds-fine).
    pub(crate) fn is_possible(&self, launch: &Launch) -> bool {
        let is_free = self.setting.launch.block.contains(&Extent::Free);
        let bound = match self.func.kind {
            FunctionKind::Kernel { max_threads: Some(bound), .. } => bound.min(MOST_OF_BLOCK),
            FunctionKind::Kernel { .. } | FunctionKind::Device => MOST_OF_BLOCK,
        };
        let fits = !is_free || launch.threads_per_block() <= u64::from(bound);
        fits && self.keeps_global_size(launch)
    }

    /// A launch of these sizes.
    pub(crate) fn launch(&self, block: [u32; 3], grid: [u32; 3]) -> Launch {
        let spec = &self.setting.launch;
        Launch {
            grid,
            block,
            global_offset: spec.global_offset,
            work_dim: spec.work_dim,
            dynamic_shared: None,
        }
    }

    /// The sizes of blocks and grid, where a precondition gives a free one by its number too.
    fn stated_sizes(&self) -> [[Extent; 3]; 2] {
        let mut sizes = [self.setting.launch.block, self.setting.launch.grid];
        for one in self.comparisons.iter().filter(|one| one.is_exact) {
            let Some(Operation::Geometry(Geometry { kind, dim })) =
                self.func.operation_of(source(self.func, one.value))
            else {
                continue;
            };
            let of = match kind {
                GeometryKind::BlockDim => 0,
                GeometryKind::GridDim => 1,
                GeometryKind::ThreadId
                | GeometryKind::BlockId
                | GeometryKind::GlobalOffset
                | GeometryKind::WorkDim => continue,
            };
            let extent = &mut sizes[of][dim as usize];
            if let (Extent::Free, Ok(number)) = (*extent, u32::try_from(one.bits)) {
                *extent = Extent::Number(number);
            }
        }
        sizes
    }

    /// Free dimensions get these sizes, along x alone and along y and z too.
    fn of_sizes(&self, spec: &[[Extent; 3]; 2], block: u32, grid: u32) -> Vec<Launch> {
        let mut launches = vec![];
        for other in [1, block.min(4), 2] {
            let block = with_free(&spec[0], block, other);
            for other in [1, grid.min(4)] {
                launches.push(self.launch(block, with_free(&spec[1], grid, other)));
            }
        }
        for global in self.setting.global_size.iter().flatten() {
            launches.retain(|launch| launch.block[0] <= *global);
        }
        launches.iter().map(|launch| self.divide_global(launch)).collect()
    }

    /// The grid that goes with a block where the whole size is given.
    fn divide_global(&self, launch: &Launch) -> Launch {
        let mut launch = launch.clone();
        for (dim, global) in self.setting.global_size.iter().enumerate() {
            if let (Some(global), Extent::Free) = (global, self.setting.launch.grid[dim]) {
                launch.grid[dim] = (global / launch.block[dim].max(1)).max(1);
            }
        }
        launch
    }

    /// Do blocks times threads come to the size that was given?
    fn keeps_global_size(&self, launch: &Launch) -> bool {
        self.setting.global_size.iter().enumerate().all(|(dim, global)| {
            let threads = u64::from(launch.block[dim]) * u64::from(launch.grid[dim]);
            global.is_none_or(|global| u64::from(global) == threads)
        })
    }
}

/// Are these the numbers that are given?
fn agrees(extents: &[Extent; 3], sizes: &[u32; 3]) -> bool {
    extents.iter().zip(sizes).all(|(extent, size)| match extent {
        Extent::Number(number) => number == size,
        Extent::Free => true,
    })
}

/// Is any size free?
fn is_free(spec: &LaunchSpec) -> bool {
    spec.block.iter().chain(&spec.grid).any(|extent| *extent == Extent::Free)
}

/// The given numbers; free ones are `free`.
fn fixed(extents: &[Extent; 3], free: u32) -> [u32; 3] {
    with_free(extents, free, free)
}

/// The given numbers; free ones are `first` along x, else `other`.
fn with_free(extents: &[Extent; 3], first: u32, other: u32) -> [u32; 3] {
    let mut sizes = [1; 3];
    for (dim, extent) in extents.iter().enumerate() {
        sizes[dim] = match extent {
            Extent::Number(number) => *number,
            Extent::Free if dim == 0 => first,
            Extent::Free => other,
        };
    }
    sizes
}
