//! Rows and intervals of a kernel.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use duet_analysis::{Loop, Loops};
use duet_ir::{BarrierScope, Block, Function, Inst, InstData};

use crate::masks::{MaskOfPair, Masks};
use crate::region::{Context, End, MAX_ITERATIONS, Node, Region, RegionBuilder};

/// What the two threads of a pair share, and nothing narrower.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Scope {
    /// A warp.
    Warp,
    /// A block; in a kernel with warp-level barriers, not a warp.
    Block,
    /// The grid, not a block.
    Grid,
}

/// Which two threads of a scope a row is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Mates {
    /// Any two.
    Any,
    /// Two of one warp.
    SameWarp,
    /// Two of different warps.
    OtherWarps,
    /// Two of one warp of so many threads, which is assumed to run in lock step.
    LockStep(u32),
    /// Two of different warps of so many threads.
    OtherLockStepWarps(u32),
}

/// The pairs of threads that share one scope.
#[derive(Clone, Debug)]
pub struct Row {
    /// The scope whose barriers order the two.
    pub scope: Scope,
    /// Which threads of that scope they are.
    pub mates: Mates,
    /// For pairs of a warp: the literal masks of the kernel, and whether both lanes
    /// are in them.
    pub masks: Vec<MaskOfPair>,
    /// The intervals, by what their barriers order.
    pub families: Vec<Family>,
}

/// Intervals that end at barriers of one kind.
#[derive(Clone, Debug)]
pub struct Family {
    /// The barriers that end these intervals order accesses to shared memory.
    pub shared: bool,
    /// They order accesses to global memory.
    pub global: bool,
    /// They order accesses to images, which OpenCL tells from global memory.
    pub images: bool,
    /// They are all the barriers of the row: the threads are together at each, and
    /// must end each interval together.
    pub aligned: bool,
    /// The intervals, the one from the entry first.
    pub intervals: Vec<Interval>,
}

/// Code between two barriers of the row.
#[derive(Clone, Debug)]
pub struct Interval {
    /// Where it starts.
    pub start: Start,
    /// The ways to the start, every loop cut; `None` at the entry.
    pub prefix: Option<Prefix>,
    /// The ways from it.
    pub region: Region,
}

/// The ways from the entry to a barrier.
#[derive(Clone, Debug)]
pub struct Prefix {
    /// The ways.
    pub region: Region,
    /// The node that ends at the barrier.
    pub end: Node,
}

/// The start of an interval.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Start {
    /// The kernel's entry.
    Entry,
    /// After this barrier.
    Barrier(Inst),
}

impl Family {
    /// Is any memory ordered by these barriers?
    pub fn orders_memory(&self) -> bool {
        self.shared || self.global || self.images
    }
}

/// What a pair program is built with.
pub struct Settings<'a> {
    /// The known masks of barriers and exchanges of a warp.
    pub masks: &'a Masks,
    /// Warps of so many threads are assumed to run in step.
    pub lock_step: Option<u32>,
    /// Is it to be shown that the lanes of its mask meet at this exchange? Not where
    /// all threads of a warp come by anyway.
    pub meets: &'a dyn Fn(Inst) -> bool,
    /// Are there images that only barriers for images order?
    pub images: bool,
}

impl<'a> Settings<'a> {
    /// Nothing but the masks is known.
    pub fn of_masks(masks: &'a Masks) -> Settings<'a> {
        Settings { masks, lock_step: None, meets: &|_| false, images: false }
    }
}

/// A kernel as two threads see it.
#[derive(Clone, Debug)]
pub struct PairProgram {
    /// The rows; together they cover all pairs.
    pub rows: Vec<Row>,
    /// One thread alone, from the entry to the end, every loop cut: for what must
    /// hold of each thread by itself, and for loop invariants.
    pub alone: Region,
}

impl Family {
    /// The loops whose iterations the sequence of barriers does not tell: two
    /// threads that have passed the same barriers may be in different iterations.
    ///
    /// A barrier that an interval reaches after different numbers of iterations of a loop
    /// leaves that loop's count open, and so does one that is reached through a
    /// cut copy of a loop around it. SOUNDNESS:
    /// kernels/traps/02-conditional-barrier. `is_uniform` says that two threads go the
    /// same way through an interval if both are at the same visit of its start; such an
    /// interval leaves nothing open. SOUNDNESS: not if one of the loops around its start
    /// is open already, hence the fixed point
    /// (kernels/soundness/04-same-barrier-other-trip).
    pub fn unaligned_loops(
        &self,
        func: &Function,
        loops: &Loops,
        is_uniform: &dyn Fn(&Interval) -> bool,
    ) -> BTreeSet<Loop> {
        let mut unaligned = BTreeSet::new();
        loop {
            let before = unaligned.len();
            for interval in &self.intervals {
                let together = interval.starts_together(func, loops, &unaligned);
                if !(together && is_uniform(interval)) {
                    unaligned.extend(self.left_open(func, loops, interval));
                }
            }
            if unaligned.len() == before {
                return unaligned;
            }
        }
    }

    /// The loops whose counts one interval leaves open.
    fn left_open(&self, func: &Function, loops: &Loops, interval: &Interval) -> BTreeSet<Loop> {
        let region = &interval.region;
        let mut open = BTreeSet::new();
        let mut seen: BTreeMap<Inst, Vec<Context>> = BTreeMap::new();
        for (node, end) in region.ends() {
            if let End::Barrier(inst) = end {
                seen.entry(inst).or_default().push(region.nodes[node].context);
            }
        }
        for contexts in seen.into_values() {
            if contexts.iter().any(|context| *context != contexts[0]) {
                for context in contexts {
                    open.extend(region.loops_passed(context));
                }
            }
        }
        for data in region.nodes.values() {
            open.extend(data.cut.filter(|&id| holds_start_or_end(func, loops, id, self)));
        }
        open
    }
}

impl Interval {
    /// Are two threads that start it at the same visit of its block, if the counts
    /// of the `unaligned` loops are open?
    pub fn starts_together(
        &self,
        func: &Function,
        loops: &Loops,
        unaligned: &BTreeSet<Loop>,
    ) -> bool {
        let Start::Barrier(inst) = self.start else { return true };
        func.block_of(inst)
            .is_some_and(|block| !unaligned.iter().any(|&id| loops.contains(id, block)))
    }
}

/// Does the loop hold a barrier of the family?
fn holds_start_or_end(func: &Function, loops: &Loops, id: Loop, family: &Family) -> bool {
    family.intervals.iter().any(|interval| match interval.start {
        Start::Entry => false,
        Start::Barrier(inst) => {
            loops.data(id).blocks.iter().any(|&block| func.blocks[block].insts.contains(&inst))
        }
    })
}

impl PairProgram {
    /// Builds the rows and regions of a kernel.
    pub fn new(func: &Function, loops: &Loops, settings: &Settings<'_>) -> PairProgram {
        let builder = RegionBuilder {
            func,
            loops,
            stops_at: &|_| false,
            is_concrete: &|_| false,
            max_iterations: MAX_ITERATIONS,
            iterations_after_cut: &|_| 0,
        };
        let rows = match settings.lock_step {
            Some(size) => rows_in_lock_step(func, loops, size, settings),
            None => rows(func, loops, settings),
        };
        PairProgram { rows, alone: builder.build(func.entry(), 0) }
    }
}

/// The rows if nothing is assumed about warps.
fn rows(func: &Function, loops: &Loops, settings: &Settings<'_>) -> Vec<Row> {
    let mut rows = vec![];
    let insts = || meeting_points(func).map(|(_, _, inst)| inst);
    for masks in settings.masks.shared() {
        let row = Barriers {
            func,
            scope: Scope::Warp,
            known: Some(settings.masks),
            division: &masks,
            meets: settings.meets,
        };
        let narrow = |inst| {
            row.makes_wait(inst, Orders::Nothing)
                && !Barriers::of(func, Scope::Block).makes_wait(inst, Orders::Nothing)
        };
        if insts().any(narrow) {
            let families = families(loops, &row, settings.images);
            rows.push(Row { scope: Scope::Warp, mates: Mates::SameWarp, masks, families });
        } else {
            // Nothing narrower than a block makes them wait: they are pairs of a
            // block, with what tells them from the others of their warp.
            let families = families(loops, &Barriers::of(func, Scope::Block), settings.images);
            rows.push(Row { scope: Scope::Block, mates: Mates::SameWarp, masks, families });
        }
    }
    let row = |scope, mates| Row {
        scope,
        mates,
        masks: vec![],
        families: families(loops, &Barriers::of(func, scope), settings.images),
    };
    // Without warp-level barriers, pairs of a warp are pairs of a block.
    match rows.iter().all(|row| row.scope == Scope::Block) {
        true => rows = vec![row(Scope::Block, Mates::Any)],
        false => rows.push(row(Scope::Block, Mates::OtherWarps)),
    }
    rows.push(row(Scope::Grid, Mates::Any));
    rows
}

/// The rows if warps of `size` threads run in step. Barriers of warps order nothing
/// here that lock step does not.
fn rows_in_lock_step(
    func: &Function,
    loops: &Loops,
    size: u32,
    settings: &Settings<'_>,
) -> Vec<Row> {
    let row = |scope, mates| Row {
        scope,
        mates,
        masks: vec![],
        families: families(loops, &Barriers::of(func, scope), settings.images),
    };
    vec![
        row(Scope::Block, Mates::LockStep(size)),
        row(Scope::Block, Mates::OtherLockStepWarps(size)),
        row(Scope::Grid, Mates::Any),
    ]
}

/// Every barrier and exchange with its block and index.
fn meeting_points(func: &Function) -> impl Iterator<Item = (Block, usize, Inst)> + '_ {
    func.layout.iter().flat_map(move |&block| {
        let insts = func.blocks[block].insts.iter().enumerate();
        insts
            .filter(|(_, inst)| func.insts[**inst].is_meeting_point())
            .map(move |(index, &inst)| (block, index, inst))
    })
}

/// What a barrier must order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Orders {
    /// Nothing: it only has to make the threads wait.
    Nothing,
    /// Accesses to shared memory.
    Shared,
    /// Accesses to global memory.
    Global,
    /// Accesses to images.
    Images,
}

/// The barriers of a row.
struct Barriers<'a> {
    func: &'a Function,
    scope: Scope,
    /// The known masks, where they matter.
    known: Option<&'a Masks>,
    division: &'a [MaskOfPair],
    meets: &'a dyn Fn(Inst) -> bool,
}

impl<'a> Barriers<'a> {
    /// Those of a row that no mask divides.
    fn of(func: &'a Function, scope: Scope) -> Barriers<'a> {
        Barriers { func, scope, known: None, division: &[], meets: &|_| false }
    }

    /// Are both lanes of every pair among those that the instruction names?
    fn holds_both(&self, inst: Inst) -> bool {
        self.known.is_some_and(|known| known.makes_wait(inst, self.division))
    }

    /// Does the instruction make every pair of the row wait, and order what is
    /// asked?
    ///
    /// SOUNDNESS: a warp barrier whose mask leaves one of the two out, and a block
    /// barrier whose flags are not a constant that covers the space, order nothing.
    /// They do not end an interval, which then is larger
    /// (kernels/traps/12-partial-mask, kernels/traps/21-flags-differ). Nor does an
    /// exchange order memory (kernels/traps/11-shuffle-is-no-barrier); it only brings
    /// the two together.
    fn makes_wait(&self, inst: Inst, orders: Orders) -> bool {
        let func = self.func;
        let constant = |arg: Option<duet_ir::Value>| arg.and_then(|arg| func.const_bits(arg));
        match &func.insts[inst] {
            InstData::BarrierReduce { .. } => self.scope != Scope::Grid,
            InstData::Barrier { scope: BarrierScope::Grid, .. } => true,
            InstData::Barrier { scope: BarrierScope::Block, arg } => {
                self.scope != Scope::Grid
                    && match orders {
                        Orders::Nothing => true,
                        Orders::Shared => constant(*arg).is_some_and(|flags| flags & 1 != 0),
                        Orders::Global => constant(*arg).is_some_and(|flags| flags & 2 != 0),
                        Orders::Images => constant(*arg).is_some_and(|flags| flags & 4 != 0),
                    }
            }
            InstData::Barrier { scope: BarrierScope::Warp, .. } => {
                self.scope == Scope::Warp && self.holds_both(inst)
            }
            InstData::Exchange { .. } => {
                self.scope == Scope::Warp
                    && orders == Orders::Nothing
                    && (self.meets)(inst)
                    && self.holds_both(inst)
            }
            InstData::Binary { .. }
            | InstData::Unary { .. }
            | InstData::Cast { .. }
            | InstData::IntCompare { .. }
            | InstData::FloatCompare { .. }
            | InstData::Select { .. }
            | InstData::Pure { .. }
            | InstData::Fresh { .. }
            | InstData::Geometry(_)
            | InstData::PtrToInt { .. }
            | InstData::IntToPtr { .. }
            | InstData::Load { .. }
            | InstData::Store { .. }
            | InstData::Atomic { .. }
            | InstData::Fence { .. }
            | InstData::AsyncCopy { .. }
            | InstData::WaitEvents { .. }
            | InstData::Assert { .. }
            | InstData::Annotation { .. }
            | InstData::Ghost { .. }
            | InstData::Call { .. }
            | InstData::CallUnknown { .. } => false,
        }
    }
}

/// The families of a row: one if every barrier orders everything, else one each
/// for alignment, shared and global memory, and images if there are any.
fn families(loops: &Loops, row: &Barriers<'_>, images: bool) -> Vec<Family> {
    let set = |orders| -> Vec<Inst> {
        meeting_points(row.func)
            .map(|(_, _, inst)| inst)
            .filter(|&inst| row.makes_wait(inst, orders))
            .collect()
    };
    let none =
        Family { aligned: false, shared: false, global: false, images: false, intervals: vec![] };
    let mut kinds = vec![
        (set(Orders::Nothing), Family { aligned: true, ..none.clone() }),
        (set(Orders::Shared), Family { shared: true, ..none.clone() }),
        (set(Orders::Global), Family { global: true, ..none.clone() }),
    ];
    if images {
        kinds.push((set(Orders::Images), Family { images: true, ..none }));
    }
    let mut families: Vec<(Vec<Inst>, Family)> = vec![];
    for (barriers, family) in kinds {
        match families.iter_mut().find(|(other, _)| *other == barriers) {
            Some((_, same)) => {
                same.aligned |= family.aligned;
                same.shared |= family.shared;
                same.global |= family.global;
                same.images |= family.images;
            }
            None => families.push((barriers, family)),
        }
    }
    families
        .into_iter()
        .map(|(barriers, family)| Family {
            intervals: intervals(row.func, loops, &barriers),
            ..family
        })
        .collect()
}

/// The intervals between these barriers.
fn intervals(func: &Function, loops: &Loops, set: &[Inst]) -> Vec<Interval> {
    let is_barrier = |inst: Inst| set.contains(&inst);
    let holds_barrier = |id: Loop| {
        loops
            .data(id)
            .blocks
            .iter()
            .any(|&block| func.blocks[block].insts.iter().any(|&inst| is_barrier(inst)))
    };
    let forward = RegionBuilder {
        func,
        loops,
        stops_at: &is_barrier,
        is_concrete: &holds_barrier,
        max_iterations: MAX_ITERATIONS,
        iterations_after_cut: &|_| 0,
    };
    let mut found = vec![Interval {
        start: Start::Entry,
        prefix: None,
        region: forward.build(func.entry(), 0),
    }];
    for (block, index, inst) in meeting_points(func).filter(|&(_, _, inst)| is_barrier(inst)) {
        found.push(Interval {
            start: Start::Barrier(inst),
            prefix: prefix(func, loops, inst),
            region: forward.build(block, index + 1),
        });
    }
    found
}

/// The ways from the entry to a barrier, with every loop cut.
fn prefix(func: &Function, loops: &Loops, barrier: Inst) -> Option<Prefix> {
    let builder = RegionBuilder {
        func,
        loops,
        stops_at: &|inst| inst == barrier,
        is_concrete: &|_| false,
        max_iterations: MAX_ITERATIONS,
        iterations_after_cut: &|_| 0,
    };
    let mut region = builder.build(func.entry(), 0);
    let end = region.ends().find(|(_, end)| *end == End::Barrier(barrier))?.0;
    region.prune_to(end);
    Some(Prefix { region, end })
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Scope::Warp => "warp",
            Scope::Block => "block",
            Scope::Grid => "grid",
        })
    }
}
