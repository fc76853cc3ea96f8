//! Launch sizes and thread ids as terms.

use duet_analysis::{Extent, LaunchSpec, MAX_BLOCK, MAX_GRID_YZ, MAX_THREADS_ALONG};
use duet_ir::{Dim, Function, GeometryKind, Value};
use duet_smt::{TermId, TermPool};

use crate::symbols::Side;

/// The sizes as terms, with what is known of them.
#[derive(Clone, Debug)]
pub struct Geometry {
    /// Threads of a block.
    pub block: [TermId; 3],
    /// Blocks of the grid.
    pub grid: [TermId; 3],
    /// Added to global ids.
    pub global_offset: [TermId; 3],
    /// Dimensions of the launch.
    pub work_dim: TermId,
    /// Limits of the free sizes.
    pub facts: Vec<TermId>,
}

/// The ids of one thread.
#[derive(Clone, Debug)]
pub struct ThreadTerms {
    /// Which thread of a question it is.
    pub side: Side,
    /// Tells the thread's symbols from the other's.
    pub name: String,
    /// In its block.
    pub thread: [TermId; 3],
    /// Of its block.
    pub block: [TermId; 3],
    /// Each id is below its size.
    pub facts: Vec<TermId>,
}

/// The name of the symbol for a scalar argument.
///
/// SOUNDNESS: elements of an array inside a struct have one source name; each is a
/// symbol of its own (kernels/soundness/07-struct-argument).
pub fn argument_name(func: &Function, value: Value) -> String {
    match func.scalar_params().find(|own| own.value == value) {
        Some(own) if func.params.iter().filter(|param| param.name == own.name).count() == 1 => {
            format!("arg:{}", own.name)
        }
        Some(own) => format!("arg:{}#{value}", own.name),
        None => format!("arg:?{value}"),
    }
}

/// Width of ids and sizes.
const WIDTH: u32 = 32;

impl Geometry {
    /// The sizes of a launch. Given numbers are taken as they are; for free ones
    /// the limits are facts.
    pub fn new(pool: &mut TermPool, spec: &LaunchSpec) -> Geometry {
        let mut facts = vec![];
        let mut extent = |pool: &mut TermPool, extent, name: String, limit: u128| match extent {
            Extent::Number(number) => pool.bv(WIDTH, u128::from(number)),
            Extent::Free => {
                let size = pool.bv_var(&name, WIDTH);
                let (one, limit) = (pool.bv(WIDTH, 1), pool.bv(WIDTH, limit));
                facts.push(pool.compare().ule(one, size));
                facts.push(pool.compare().ule(size, limit));
                size
            }
        };
        let mut block = [pool.bv(WIDTH, 1); 3];
        let mut grid = block;
        for dim in Dim::ALL {
            let index = dim.index();
            let limit = u128::from(if dim == Dim::X { MAX_THREADS_ALONG } else { MAX_GRID_YZ });
            let most = u128::from(spec.most_threads);
            block[index] = extent(pool, spec.block[index], format!("blockDim.{dim}"), most);
            grid[index] = extent(pool, spec.grid[index], format!("gridDim.{dim}"), limit);
        }
        let mut geometry = Geometry {
            block,
            grid,
            global_offset: spec.global_offset.map(|offset| pool.bv(WIDTH, u128::from(offset))),
            work_dim: pool.bv(WIDTH, u128::from(spec.work_dim)),
            facts,
        };
        geometry.limit_products(pool, spec);
        geometry
    }

    /// A block has at most so many threads, and a dimension at most 2^31 - 1.
    ///
    /// SOUNDNESS: `__launch_bounds__` is such a limit, since a launch of more threads does
    /// not start; it is no limit of given sizes (kernels/soundness/41-launch-bounds-bug).
    fn limit_products(&mut self, pool: &mut TermPool, spec: &LaunchSpec) {
        let free = spec.block.iter().filter(|extent| **extent == Extent::Free).count();
        if free > 1 || free == 1 && spec.most_threads < MAX_BLOCK {
            // Free factors are at most 1024, one may be given: twice the bits do.
            let given = |extent: &Extent| matches!(extent, Extent::Number(2..));
            let extra = if spec.block.iter().any(given) { WIDTH } else { 0 };
            let sizes = self.block.map(|size| pool.bits().zero_extend(extra, size));
            let threads = pool.bits().product(&sizes);
            let limit = pool.bv(WIDTH + extra, u128::from(spec.most_threads));
            self.facts.push(pool.compare().ule(threads, limit));
        }
        for index in 0..3 {
            if spec.block[index] != Extent::Free && spec.grid[index] != Extent::Free {
                continue;
            }
            let block = pool.bits().zero_extend(WIDTH, self.block[index]);
            let grid = pool.bits().zero_extend(WIDTH, self.grid[index]);
            let along = pool.bits().mul(block, grid);
            let limit = pool.bv(2 * WIDTH, u128::from(MAX_THREADS_ALONG));
            self.facts.push(pool.compare().ule(along, limit));
        }
    }

    /// The term of a geometry instruction for a thread.
    pub fn term(&self, thread: &ThreadTerms, kind: GeometryKind, dim: Dim) -> TermId {
        let index = dim.index();
        match kind {
            GeometryKind::ThreadId => thread.thread[index],
            GeometryKind::BlockId => thread.block[index],
            GeometryKind::BlockDim => self.block[index],
            GeometryKind::GridDim => self.grid[index],
            GeometryKind::GlobalOffset => self.global_offset[index],
            GeometryKind::WorkDim => self.work_dim,
        }
    }

    /// A thread with ids of its own; `block` gives it another thread's block.
    pub fn thread(
        &self,
        pool: &mut TermPool,
        side: Side,
        block: Option<&ThreadTerms>,
    ) -> ThreadTerms {
        let name = side.suffix();
        let mut facts = vec![];
        let mut id = |pool: &mut TermPool, what: &str, dim: Dim, size: TermId| {
            if pool.as_bv(size) == Some(1) {
                return pool.bv(WIDTH, 0);
            }
            let id = pool.bv_var(&format!("{what}.{dim}{name}"), WIDTH);
            facts.push(pool.compare().ult(id, size));
            id
        };
        let mut thread = [pool.bv(WIDTH, 0); 3];
        let mut own_block = thread;
        for dim in Dim::ALL {
            let index = dim.index();
            thread[index] = id(pool, "threadIdx", dim, self.block[index]);
            own_block[index] = match block {
                Some(other) => other.block[index],
                None => id(pool, "blockIdx", dim, self.grid[index]),
            };
        }
        ThreadTerms { side, name, thread, block: own_block, facts }
    }
}

impl ThreadTerms {
    /// Do the two threads have different ids in their block?
    pub fn differs_in_thread(&self, pool: &mut TermPool, other: &ThreadTerms) -> TermId {
        differs(pool, &self.thread, &other.thread)
    }

    /// The first thread of the same block: its ids are 0. Every block has it.
    pub fn first_of_block(&self, pool: &mut TermPool) -> ThreadTerms {
        let zero = pool.bv(WIDTH, 0);
        ThreadTerms { thread: [zero; 3], side: Side::Alone, ..self.clone() }
    }

    /// Are the two threads in different blocks?
    pub fn differs_in_block(&self, pool: &mut TermPool, other: &ThreadTerms) -> TermId {
        differs(pool, &self.block, &other.block)
    }

    /// The thread's number in its block, x fastest.
    ///
    /// SOUNDNESS: given sizes have no limit, so the number may need more bits than
    /// an id has (kernels/soundness/10-huge-block).
    pub fn flat(&self, pool: &mut TermPool, geometry: &Geometry) -> TermId {
        let most = |size: TermId| pool.as_bv(size).unwrap_or(MAX_BLOCK.into());
        let threads = geometry.block.iter().fold(1u128, |all, &size| all * most(size));
        let extra = if threads < 1 << WIDTH { 0 } else { 2 * WIDTH };
        let mut flat = pool.bits().zero_extend(extra, self.thread[2]);
        for index in [1, 0] {
            let size = pool.bits().zero_extend(extra, geometry.block[index]);
            let own = pool.bits().zero_extend(extra, self.thread[index]);
            let scaled = pool.bits().mul(flat, size);
            flat = pool.bits().add(scaled, own);
        }
        flat
    }
}

impl ThreadTerms {
    /// Is the thread's lane in a mask of 32 bits?
    pub fn lane_is_in(&self, pool: &mut TermPool, geometry: &Geometry, mask: TermId) -> TermId {
        let flat = self.flat(pool, geometry);
        let low = pool.bits().extract(4, 0, flat);
        let lane = pool.bits().zero_extend(27, low);
        let shifted = pool.bits().lshr(mask, lane);
        let bit = pool.bits().extract(0, 0, shifted);
        let set = pool.bv(1, 1);
        pool.eq(bit, set)
    }
}

fn differs(pool: &mut TermPool, a: &[TermId; 3], b: &[TermId; 3]) -> TermId {
    let parts: Vec<TermId> = (0..3).map(|index| pool.ne(a[index], b[index])).collect();
    pool.or(&parts)
}
