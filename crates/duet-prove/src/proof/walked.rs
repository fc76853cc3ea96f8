//! The walk of one formal thread, and its instances: the walk of any other thread, at any
//! counts of loops, is a substitution.
//!
//! SOUNDNESS: every unknown of the walk is a function of the thread and the counts. An
//! instance gives each of them a new symbol of its own, so nothing is shared between two
//! instances but sizes, arguments and initial contents (kernels/prove/traps/06-own-trips,
//! 07-other-block).

use std::collections::{BTreeMap, BTreeSet};

use super::loops::cuts::{Cut, Cuts};
use super::sums::block_sums::counted_loads;
use duet_analysis::Loop;
use duet_ir::{Array, Dim, Space};
use duet_product::{KernelFacts, Successor};
use duet_smt::{FuncId, Op, Sort, TermId};
use duet_vc::{HeaderTerm, Origin, Side, SiteTerm, ThreadTerms, Walk, Walker};

/// A walk with what is needed of it.
pub struct Walked<'f> {
    /// The walks, with the terms.
    pub walker: Walker<'f>,
    /// The walk of the formal thread.
    pub walk: Walk,
    /// The formal thread.
    pub thread: ThreadTerms,
    /// Symbols of initial contents.
    initial: BTreeSet<FuncId>,
    /// Where threads of a block meet.
    pub cuts: Cuts,
    /// Memory at cuts: which symbol is which array at which cut.
    after: BTreeMap<TermId, (Array, Cut)>,
    /// Unknown parameters of aligned loops that are the same for all threads of a block.
    uniform: BTreeMap<TermId, Loop>,
    /// What they are, by the block and the counts of the loops around.
    values: BTreeMap<(TermId, Vec<TermId>), TermId>,
    /// What loads yield of which the walk knows nothing.
    counted: BTreeMap<TermId, TermId>,
    /// The same for symbols of instances, with the block of the instance.
    pub views: BTreeMap<TermId, View>,
}

/// What a block sees of an array at a cut.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// The array.
    pub array: Array,
    /// The cut.
    pub cut: Cut,
    /// The block.
    pub block: [TermId; 3],
    /// The counts of the aligned loops: at which visit the block is, or left the loop.
    pub counts: Vec<(Loop, TermId)>,
}

/// A thread at counts of loops.
#[derive(Clone, Debug, Default)]
pub struct Instance {
    /// What symbols of the formal walk are here.
    map: BTreeMap<TermId, TermId>,
    /// Its block.
    block: Option<[TermId; 3]>,
}

impl<'f> Walked<'f> {
    /// Walks the formal thread.
    pub fn new(mut walker: Walker<'f>) -> Walked<'f> {
        let thread = walker.thread(Side::Alone, None);
        let walk = walker.walk_thread(&thread);
        let mut initial = BTreeSet::new();
        for (&array, &contents) in &walk.initial.arrays {
            let space = walker.facts.module.arrays[array].space;
            if matches!(space, Space::Global | Space::Constant) {
                for term in walker.pool.reachable(&[contents]) {
                    if let Op::Apply(func) = walker.pool.op(term) {
                        initial.insert(func);
                    }
                }
            }
        }
        let cuts = Cuts::new(walker.facts, &walk);
        let mut after = BTreeMap::new();
        let barriers = walk.after_barriers.iter().enumerate();
        let barriers = barriers.map(|(number, one)| (Cut::Barrier(number), &one.memory));
        let heads = walk.headers.iter().filter(|header| cuts.aligned.contains(&header.id));
        let heads = heads.map(|header| (Cut::Header(header.id), &header.memory));
        for (cut, memory) in barriers.chain(heads) {
            for (&array, &contents) in &memory.arrays {
                let is_symbol = matches!(walker.pool.op(contents), Op::Apply(_));
                let space = walker.facts.module.arrays[array].space;
                let known = walk.initial.arrays.get(&array) == Some(&contents);
                if is_symbol && space != Space::Private && !known {
                    after.insert(contents, (array, cut));
                }
            }
        }
        let uniform = uniform_params(&walker, &walk, &cuts);
        let counted = counted_loads(walker.facts, &mut walker.pool, &walk, &cuts);
        let (views, values) = (BTreeMap::new(), BTreeMap::new());
        Walked { walker, walk, thread, initial, cuts, after, uniform, values, counted, views }
    }

    /// What is known of the kernel.
    pub fn facts(&self) -> &'f KernelFacts<'f> {
        self.walker.facts
    }

    /// The symbols of the formal thread's ids, each with its size: those that are numbers
    /// are left out.
    pub fn ids(&self, of_block: bool) -> Vec<(TermId, TermId)> {
        let geometry = &self.walker.geometry;
        let all = Dim::ALL.map(|dim| match of_block {
            true => (self.thread.block[dim.index()], geometry.grid[dim.index()]),
            false => (self.thread.thread[dim.index()], geometry.block[dim.index()]),
        });
        let is_symbol = |id: TermId| matches!(self.walker.pool.op(id), Op::Apply(_));
        all.into_iter().filter(|(id, _)| is_symbol(*id)).collect()
    }

    /// The header of a loop.
    pub fn header(&self, id: Loop) -> Option<&HeaderTerm> {
        self.walk.headers.iter().find(|header| header.id == id)
    }

    /// The loops around a site, from the outside.
    pub fn loops_around(&self, site: &SiteTerm) -> Vec<Loop> {
        let block = self.facts().block_of(site.inst);
        let mut all: Vec<Loop> =
            block.map_or(vec![], |block| self.facts().loops.around(block).collect());
        all.sort_by_key(|id| std::cmp::Reverse(self.facts().loops.data(*id).blocks.len()));
        all
    }

    /// The loops that are done when a thread is at the site, in no other such loop.
    pub fn loops_done(&self, site: &SiteTerm) -> Vec<Loop> {
        let around = self.loops_around(site);
        let loops = &self.facts().loops;
        let is_done = |header: &&HeaderTerm| {
            let block = self.facts().program.alone.nodes[header.node].block;
            let outside = loops.around(block).filter(|id| *id != header.id);
            !around.contains(&header.id)
                && self.walk.is_before(header.node, site.at.node)
                && outside.into_iter().all(|id| around.contains(&id))
        };
        self.walk.headers.iter().filter(is_done).map(|header| header.id).collect()
    }

    /// A thread that leaves a loop at a visit gets to one of these places.
    ///
    /// SOUNDNESS: an exit that leads back to the head of a loop around is a place that the walk
    /// does not have, so then nothing is known (kernels/prove/traps/03-later-visit).
    pub fn exits(&mut self, id: Loop) -> Vec<TermId> {
        let (loops, region) = (&self.walker.facts.loops, &self.walker.facts.program.alone);
        let mut all = vec![];
        for (_, node) in region.nodes.iter().filter(|(_, node)| loops.contains(id, node.block)) {
            for successor in &node.successors {
                let to = match successor {
                    Successor::Node(to) if loops.contains(id, region.nodes[*to].block) => continue,
                    Successor::Cut(to) if loops.contains(id, region.nodes[*to].block) => continue,
                    Successor::Node(to) => self.walk.reach.get(to).copied(),
                    Successor::Cut(_) | Successor::Outside => None,
                };
                all.push(to.unwrap_or_else(|| self.walker.pool.tt()));
            }
        }
        all
    }

    /// The aligned loops around a site, from the outside.
    pub fn aligned_around(&self, site: &SiteTerm) -> Vec<Loop> {
        let block = self.facts().block_of(site.inst);
        block.map_or(vec![], |block| self.cuts.around(&self.facts().loops, block))
    }

    /// Terms at an instance; unknowns get symbols of the instance.
    pub fn at(&mut self, instance: &mut Instance, terms: &[TermId]) -> Vec<TermId> {
        self.settle_counts(instance);
        let counted = &self.counted;
        let terms = match counted.is_empty() {
            true => terms.to_vec(),
            false => self.walker.pool.rebuild(terms, |_, term, _| counted.get(&term).copied()),
        };
        let (symbols, initial, after) = (&self.walker.symbols, &self.initial, &self.after);
        let (uniform, values) = (&self.uniform, &mut self.values);
        let visits: BTreeMap<Loop, TermId> =
            self.walk.headers.iter().map(|header| (header.id, header.visits)).collect();
        let loops = &self.walker.facts.loops;
        let cuts = &self.cuts;
        let mut seen = vec![];
        let result = self.walker.pool.rebuild(&terms, |pool, term, _| {
            if let Some(value) = instance.map.get(&term) {
                return Some(*value);
            }
            let Op::Apply(func) = pool.op(term) else { return None };
            let is_unknown = match symbols.get(func)?.origin {
                Origin::BlockSize(_) | Origin::GridSize(_) | Origin::Argument(_) => false,
                Origin::Contents(_) => !initial.contains(&func),
                Origin::ThreadId(..)
                | Origin::BlockId(..)
                | Origin::Value(_)
                | Origin::Visits(_)
                | Origin::Copied(_)
                | Origin::Fold(..)
                | Origin::Cell
                | Origin::Address
                | Origin::Pointer => true,
            };
            if !is_unknown {
                return None;
            }
            if let (Some(&id), Some(block)) = (uniform.get(&term), instance.block) {
                let around = cuts.around(loops, loops.data(id).header);
                let counts = around.iter().map(|id| instance.map[&visits[id]]);
                let key = (term, block.into_iter().chain(counts).collect());
                let value = *values.entry(key).or_insert_with(|| pool.fresh("at", pool.sort(term)));
                instance.map.insert(term, value);
                return Some(value);
            }
            let fresh = pool.fresh("at", pool.sort(term));
            instance.map.insert(term, fresh);
            if let (Some(&(array, cut)), Some(block)) = (after.get(&term), instance.block) {
                let count = |id: &Loop| (*id, instance.map[&visits[id]]);
                let counts = cuts.aligned.iter().map(count).collect();
                seen.push((fresh, View { array, cut, block, counts }));
            }
            Some(fresh)
        });
        self.views.extend(seen);
        result
    }

    /// Gives an instance symbols for the counts of aligned loops that it has none for.
    fn settle_counts(&mut self, instance: &mut Instance) {
        for id in self.cuts.aligned.clone() {
            let Some(visits) = self.header(id).map(|header| header.visits) else { continue };
            if instance.get(visits).is_none() {
                let count = self.walker.pool.fresh("count", Sort::BitVec(32));
                self.set_count(instance, id, count);
            }
        }
    }

    /// One term at an instance.
    pub fn one_at(&mut self, instance: &mut Instance, term: TermId) -> TermId {
        self.at(instance, &[term])[0]
    }

    /// An instance with new symbols for the ids; those of the block are given or new.
    pub fn stranger(&mut self, block: Option<[TermId; 3]>) -> Instance {
        let mut instance = Instance::default();
        for (id, _) in self.ids(false) {
            let fresh = self.walker.pool.fresh("id", Sort::BitVec(32));
            instance.set(id, fresh);
        }
        let own = block.unwrap_or_else(|| {
            let formal = self.thread.block;
            formal.map(|id| match self.walker.pool.op(id) {
                Op::Apply(_) => self.walker.pool.fresh("block", Sort::BitVec(32)),
                Op::True
                | Op::False
                | Op::BvConst { .. }
                | Op::IntConst(_)
                | Op::Not
                | Op::And
                | Op::Or
                | Op::Eq
                | Op::Ite
                | Op::BvNot
                | Op::BvAdd
                | Op::BvMul
                | Op::BvUdiv
                | Op::BvUrem
                | Op::BvSdiv
                | Op::BvSrem
                | Op::BvSmod
                | Op::BvAnd
                | Op::BvOr
                | Op::BvXor
                | Op::BvShl
                | Op::BvLshr
                | Op::BvAshr
                | Op::Concat
                | Op::Extract { .. }
                | Op::ZeroExtend(_)
                | Op::SignExtend(_)
                | Op::Ult
                | Op::Ule
                | Op::Slt
                | Op::Sle
                | Op::IntAdd
                | Op::IntMul
                | Op::IntDiv
                | Op::IntMod
                | Op::IntLe
                | Op::Select
                | Op::Store => id,
            })
        });
        self.set_block(&mut instance, own);
        instance
    }

    /// Puts the instance into a block.
    pub fn set_block(&mut self, instance: &mut Instance, block: [TermId; 3]) {
        for (formal, value) in self.thread.block.into_iter().zip(block) {
            if matches!(self.walker.pool.op(formal), Op::Apply(_)) {
                instance.set(formal, value);
            }
        }
        instance.block = Some(block);
    }

    /// Gives the instance a count of a loop, as a symbol of 32 bits.
    pub fn set_count(&mut self, instance: &mut Instance, id: Loop, count: TermId) {
        if let Some(visits) = self.header(id).map(|header| header.visits) {
            let wide = self.walker.pool.bits().zext_or_trunc(count, 64);
            instance.set(visits, wide);
        }
    }

    /// The ids of an instance are those of a thread of the launch.
    pub fn in_launch(&mut self, instance: &mut Instance) -> Vec<TermId> {
        let ids: Vec<(TermId, TermId)> =
            self.ids(false).into_iter().chain(self.ids(true)).collect();
        ids.into_iter()
            .map(|(id, size)| {
                let value = self.one_at(instance, id);
                self.walker.pool.compare().ult(value, size)
            })
            .collect()
    }
}

/// Parameters of aligned loops that nothing is known of but that all threads of a block have
/// the same value of, at the same counts.
///
/// SOUNDNESS: the analysis says so of threads that make the same visit, which those of a block
/// do at an aligned loop's head (kernels/prove/traps/34-own-stride).
fn uniform_params(walker: &Walker<'_>, walk: &Walk, cuts: &Cuts) -> BTreeMap<TermId, Loop> {
    let facts = walker.facts;
    let mut uniform = BTreeMap::new();
    for header in walk.headers.iter().filter(|header| cuts.aligned.contains(&header.id)) {
        // Only a loop that is in no other than aligned ones is visited together.
        let block = facts.loops.data(header.id).header;
        if facts.loops.around(block).any(|id| !cuts.aligned.contains(&id)) {
            continue;
        }
        for (&param, &term) in facts.func.blocks[block].params.iter().zip(&header.params) {
            let differs =
                facts.uniformity.may_be_divergent_at(param, block, duet_ir::BarrierScope::Block);
            if !differs && matches!(walker.pool.op(term), Op::Apply(_)) {
                uniform.insert(term, header.id);
            }
        }
    }
    uniform
}

impl Instance {
    /// What a symbol of the formal walk is here.
    pub fn set(&mut self, symbol: TermId, value: TermId) {
        self.map.insert(symbol, value);
    }

    /// What a symbol of the formal walk is here, if that was settled.
    pub fn get(&self, symbol: TermId) -> Option<TermId> {
        self.map.get(&symbol).copied()
    }

    /// The same for several.
    pub fn set_all(&mut self, values: &[(TermId, TermId)]) {
        self.map.extend(values.iter().copied());
    }

    /// Its block.
    pub fn block(&self) -> Option<[TermId; 3]> {
        self.block
    }

    /// A copy for other counts: unknowns of the one are not those of the other.
    pub fn only(&self, kept: &[TermId]) -> Instance {
        let map = self.map.iter().filter(|(symbol, _)| kept.contains(symbol));
        Instance { map: map.map(|(a, b)| (*a, *b)).collect(), block: self.block }
    }
}
