//! The walk of one formal thread, and its instances: the walk of any other thread, at any
//! counts of loops, is a substitution.
//!
//! SOUNDNESS: every unknown of the walk is a function of the thread and the counts. An
//! instance gives each of them a new symbol of its own, so nothing is shared between two
//! instances but sizes, arguments and initial contents (kernels/prove/traps/06-own-trips,
//! 07-other-block).

use std::collections::{BTreeMap, BTreeSet};

use duet_analysis::Loop;
use duet_ir::{Array, Dim, Space};
use duet_product::KernelFacts;
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
    /// Memory after a barrier: which symbol is which array after which barrier.
    after: BTreeMap<TermId, (Array, usize)>,
    /// The same for symbols of instances, with the block of the instance.
    pub views: BTreeMap<TermId, View>,
}

/// What a block sees of an array after a barrier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    /// The array.
    pub array: Array,
    /// The number of the barrier.
    pub barrier: usize,
    /// The block.
    pub block: [TermId; 3],
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
        let mut after = BTreeMap::new();
        for (number, barrier) in walk.after_barriers.iter().enumerate() {
            for (&array, &contents) in &barrier.memory.arrays {
                let is_symbol = matches!(walker.pool.op(contents), Op::Apply(_));
                let space = walker.facts.module.arrays[array].space;
                let known = walk.initial.arrays.get(&array) == Some(&contents);
                if is_symbol && space != Space::Private && !known {
                    after.insert(contents, (array, number));
                }
            }
        }
        Walked { walker, walk, thread, initial, after, views: BTreeMap::new() }
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

    /// How many barriers a thread has passed when it is at the site.
    pub fn interval(&self, site: &SiteTerm) -> usize {
        let passed = self.walk.after_barriers.iter();
        passed.filter(|barrier| self.walk.has_passed(barrier.at, site.at)).count()
    }

    /// Terms at an instance; unknowns get symbols of the instance.
    pub fn at(&mut self, instance: &mut Instance, terms: &[TermId]) -> Vec<TermId> {
        let (symbols, initial, after) = (&self.walker.symbols, &self.initial, &self.after);
        let mut seen = vec![];
        let result = self.walker.pool.rebuild(terms, |pool, term, _| {
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
            let fresh = pool.fresh("at", pool.sort(term));
            instance.map.insert(term, fresh);
            if let (Some(&(array, barrier)), Some(block)) = (after.get(&term), instance.block) {
                seen.push((fresh, View { array, barrier, block }));
            }
            Some(fresh)
        });
        self.views.extend(seen);
        result
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
