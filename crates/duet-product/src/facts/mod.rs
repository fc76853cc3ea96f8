//! What the analyses know about a kernel: one bundle that the encoder, the inference and
//! the checks share.

mod alignment;
mod arrivals;
mod claims;
mod counters;
mod lanes;
mod led;
mod settled;
mod snapshots;
mod two_threads;

use std::collections::{BTreeMap, BTreeSet};

use duet_analysis::{
    Aliasing, ArrayUses, ClosedForms, Dominators, Extent, GhostReads, Homes, LaunchSpec, Loops,
    Ranges, Uniformity, UniformityOptions,
};
use duet_ir::{
    Array, ArrayData, ArrayOrigin, BarrierScope, Block, Func, Function, Inst, Language, Module,
    Param, ParamKind, Space, Value, WellFormed,
};

use crate::{Apart, Family, Masks, PairProgram, Settings};
use lanes::meeting_places;

pub use arrivals::Exit;
pub use claims::Claims;
pub use snapshots::Snapshot;
pub use two_threads::{ghost_insts_of, ghosts_of};

/// What a kernel is analysed for.
#[derive(Clone, Debug)]
pub struct FactsOptions {
    /// The launch.
    pub launch: LaunchSpec,
    /// Values of scalar parameters, where they are given.
    pub arguments: BTreeMap<Value, u128>,
    /// Different pointers may point into the same memory.
    pub may_alias: bool,
    /// Threads of a warp, if warps are assumed to run in lock step.
    pub warp_sync: Option<u32>,
}

impl FactsOptions {
    /// The width of a block, where warps are parts of it in the order of ids: CUDA's are.
    fn block_width(&self, module: &Module) -> Option<u32> {
        let is_usual = module.language == Language::Cuda && self.warp_sync.is_none();
        match self.launch.block[0] {
            Extent::Number(width) if is_usual => Some(width),
            Extent::Number(_) | Extent::Free => None,
        }
    }
}

/// What the analyses know about a kernel.
pub struct KernelFacts<'m> {
    /// The module.
    pub module: &'m WellFormed,
    /// The kernel's id in the module.
    pub kernel: Func,
    /// The kernel.
    pub func: &'m Function,
    /// Its loops.
    pub loops: Loops,
    /// Its accesses, by array.
    pub uses: ArrayUses,
    /// Ghost reads of cells that no thread changes meanwhile.
    pub ghost_reads: GhostReads,
    /// Where its values are defined.
    pub homes: Homes,
    /// What its loops do to their parameters.
    pub forms: ClosedForms,
    /// Bounds of its values.
    pub ranges: Ranges,
    /// Which values and branches threads share.
    pub uniformity: Uniformity,
    /// Pairs of threads by the scope that they share, with their intervals.
    pub program: PairProgram,
    /// The known masks of its barriers and exchanges of a warp.
    pub masks: Masks,
    /// Which blocks come before which on every path.
    pub dominators: Dominators,
    /// Threads of a warp, if warps are assumed to run in lock step.
    pub warp_sync: Option<u32>,
    /// Where threads of a warp in lock step are apart; empty without that assumption.
    pub apart: Vec<Apart>,
    /// Do all lanes of a warp come by at every barrier and exchange of the warp?
    pub all_lanes_come_by: bool,
    /// Do the lanes of the mask come to every such place, because a ballot or a match leads
    /// them where not all come by?
    pub all_lanes_are_led: bool,
    /// Arrays of other kernels of the module: this one has nothing to do with them.
    pub foreign: BTreeSet<Array>,
    /// The launch has at least so many threads.
    pub least_threads: u128,
    /// Arrays of which each place is written by one thread only, as far as that was
    /// asked.
    pub single_writers: BTreeSet<Array>,
    /// Arrays of which a thread knows, after a barrier, what the cells hold that it accessed
    /// since the one before. Knowing it costs questions, so it is asked for.
    pub carried: BTreeSet<Array>,
    /// Arrays that threads may hand over to each other by fences and flags, without a
    /// barrier: their contents are never known.
    pub ordered: BTreeSet<Array>,
    /// Claims about memory at barriers.
    pub claims: Claims,
    /// Shared arrays that are not written after a barrier, with that barrier, as far as that
    /// was asked.
    pub settled: BTreeMap<Array, Inst>,
    /// Snapshots of arrays, by the arrays that hold them, as far as that was asked. Each is
    /// among the settled ones.
    pub snapshots: BTreeMap<Array, Snapshot>,
}

impl<'m> KernelFacts<'m> {
    /// Runs the analyses.
    pub fn new(module: &'m WellFormed, kernel: Func, options: &FactsOptions) -> KernelFacts<'m> {
        let func = &module.functions[kernel];
        let dominators = Dominators::new(func);
        let loops = Loops::new(func, &dominators);
        let aliasing = match options.may_alias {
            true => Aliasing::MayAlias,
            false => Aliasing::Distinct,
        };
        let uses = ArrayUses::new(module, kernel, aliasing);
        let ghost_reads = GhostReads::new(module, kernel, &loops, &uses);
        let block_width = options.block_width(module);
        let known = UniformityOptions { block_width, ..UniformityOptions::default() };
        let uniformity = Uniformity::new(module, func, &loops, &uses, known);
        let places = meeting_places(func, &uniformity);
        let all_lanes_are_led = led::all_are_led(func, &dominators, &uniformity);
        let meets = |inst| places.contains(&inst);
        let images = func.arrays_used().into_iter().any(|array| is_image(module, array));
        let ranges = Ranges::new(func, &dominators, &loops, &options.launch, &options.arguments);
        let masks = Masks::new(func, &ranges);
        let lock_step = options.warp_sync;
        let settings = Settings { masks: &masks, lock_step, meets: &meets, images };
        let program = PairProgram::new(func, &loops, &settings);
        let may_part = |block| uniformity.may_be_divergent_branch(block, BarrierScope::Block);
        let apart = match options.warp_sync {
            Some(_) => Apart::all(func, &dominators, &loops, &may_part),
            None => vec![],
        };
        let homes = Homes::new(func);
        let forms = ClosedForms::new(func, &loops, &uses);
        KernelFacts {
            module,
            kernel,
            func,
            loops,
            uses,
            ghost_reads,
            homes,
            forms,
            ranges,
            uniformity,
            program,
            masks,
            dominators,
            warp_sync: options.warp_sync,
            apart,
            all_lanes_come_by: places.is_empty(),
            all_lanes_are_led,
            foreign: foreign_arrays(module, kernel),
            least_threads: least_threads(&options.launch),
            single_writers: BTreeSet::new(),
            carried: BTreeSet::new(),
            ordered: BTreeSet::new(),
            claims: Claims::default(),
            settled: BTreeMap::new(),
            snapshots: BTreeMap::new(),
        }
    }

    /// The arrays of the module, without those of other kernels.
    pub fn arrays(&self) -> impl Iterator<Item = (Array, &ArrayData)> {
        self.module.arrays.iter().filter(|(array, _)| !self.foreign.contains(array))
    }

    /// The block of an instruction.
    pub fn block_of(&self, inst: Inst) -> Option<Block> {
        self.func.block_of(inst)
    }

    /// The line of an instruction in the user's source.
    pub fn line_of(&self, inst: Inst) -> Option<u32> {
        Some(self.module.source_span(self.func.inst_locs[inst])?.line)
    }

    /// Do the barriers of the family order accesses to the array?
    pub fn is_ordered_by(&self, array: Array, family: &Family) -> bool {
        match self.module.arrays[array].space {
            Space::Shared => family.shared,
            Space::Global | Space::Constant if is_image(self.module, array) => family.images,
            Space::Global | Space::Constant => family.global,
            Space::Private => false,
        }
    }

    /// Can two accesses to the array race at all?
    pub fn can_race(&self, array: Array) -> bool {
        let data = &self.module.arrays[array];
        // Constant memory is written, if at all, under the name of another array.
        data.space != Space::Private && !self.uses.is_never_written(array)
    }
}

/// Is the array an image that barriers order by a flag of its own? In CUDA they order
/// surfaces like global memory.
///
/// SOUNDNESS: test `barriers_order_what_their_flags_say`.
fn is_image(module: &Module, array: Array) -> bool {
    module.language == Language::OpenCl && module.arrays[array].origin == ArrayOrigin::Image
}

/// The product of the sizes that are given.
fn least_threads(launch: &LaunchSpec) -> u128 {
    let sizes = launch.block.iter().chain(&launch.grid);
    sizes.fold(1, |product, size| match size {
        Extent::Number(number) => product.saturating_mul(u128::from(*number)),
        Extent::Free => product,
    })
}

/// The arrays that are parameters of other functions only, and do not occur in this one. A
/// program has a copy of a kernel for each launch, with parameters of its own.
fn foreign_arrays(module: &Module, kernel: Func) -> BTreeSet<Array> {
    let array = |param: &Param| match param.kind {
        ParamKind::Array(array) => Some(array),
        ParamKind::Scalar(_) | ParamKind::Pointer(..) => None,
    };
    let others = module.functions.iter().filter(|&(func, _)| func != kernel);
    let mut foreign: BTreeSet<Array> =
        others.flat_map(|(_, func)| func.params.iter().filter_map(array)).collect();
    let own = &module.functions[kernel];
    for array in own.params.iter().filter_map(array).chain(own.arrays_used()) {
        foreign.remove(&array);
    }
    foreign
}
