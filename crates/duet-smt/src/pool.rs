//! The term table: hash-consed, append-only.
//!
//! Equal applications get equal ids, so equality of terms up to structure is
//! equality of ids. An argument always has a smaller id than the term that uses
//! it: walking ids upwards is a bottom-up walk, and no pass here recurses over
//! terms. This file interns; the simplifying constructors are in `build/`.

use crate::fence::Fence;
use crate::op::{Op, SortError};
use crate::sort::{FuncId, Sort, SortId, TermId, to_signed};
use cranelift_entity::{EntityRef, PrimaryMap};
use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::hash::BuildHasher;
use std::ops::Deref;
use std::sync::atomic::{AtomicU64, Ordering};

/// One application.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TermData {
    /// What is applied.
    pub op: Op,
    /// To what.
    pub args: Box<[TermId]>,
    /// The sort of the result.
    pub sort: Sort,
}

/// A declared function symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FuncData {
    /// The name, unquoted.
    pub name: String,
    /// Argument sorts; empty for a constant.
    pub args: Vec<Sort>,
    /// Result sort.
    pub result: Sort,
}

/// All terms, function symbols and named sorts of one problem, to be read.
#[derive(Clone, Default)]
pub struct TermTable {
    terms: PrimaryMap<TermId, TermData>,
    index: HashTable<TermId>,
    funcs: PrimaryMap<FuncId, FuncData>,
    func_index: FxHashMap<String, FuncId>,
    sorts: PrimaryMap<SortId, String>,
}

/// Makes the terms of one problem. Symbols, constants and what works for every sort are
/// made here; [`TermPool::bits`], [`TermPool::compare`] and [`TermPool::ints`] make the
/// terms of the theories.
#[derive(Clone, Default)]
pub struct TermPool {
    table: TermTable,
    fresh: u32,
    identity: Identity,
    /// What work on its terms has cost, and when it has to stop.
    pub work: Work,
}

/// The clock is looked at once in so many questions whether it is late: a look takes as
/// long as making a term.
const LOOKS: u32 = 64;

impl Deref for TermPool {
    type Target = TermTable;

    fn deref(&self) -> &TermTable {
        &self.table
    }
}

/// What work on the terms of a pool has cost, and the fence at which it stops.
#[derive(Clone, Default)]
pub struct Work {
    fence: Fence,
    /// How often it was asked whether the fence is past, and whether it is.
    looks: u32,
    is_late: bool,
    /// How many applications were made or found.
    made: u64,
}

impl Work {
    /// All work on terms stops at this fence.
    pub fn set_fence(&mut self, fence: Fence) {
        (self.fence, self.is_late, self.looks) = (fence, false, 0);
    }

    /// The fence.
    pub fn fence(&self) -> Fence {
        self.fence
    }

    /// Is the fence past? Then work on terms may end with any result that claims
    /// nothing. For loops: the clock is looked at now and then.
    pub fn is_late(&mut self) -> bool {
        if self.looks.is_multiple_of(LOOKS) {
            self.is_late = self.is_late || self.fence.is_past();
        }
        self.looks = self.looks.wrapping_add(1);
        self.is_late
    }

    /// The same, with a look at the clock.
    pub fn is_late_now(&mut self) -> bool {
        self.is_late = self.is_late || self.fence.is_past();
        self.is_late
    }

    /// How many applications were made so far, known ones too: a count of the work that
    /// was done on terms.
    pub fn made(&self) -> u64 {
        self.made
    }
}

/// Tells one pool from every other of this process, its own clones included: what
/// a solver was told of one pool's ids must never be taken for another's.
#[derive(PartialEq, Eq, Debug)]
struct Identity(u64);

impl Default for Identity {
    fn default() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Identity(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

impl Clone for Identity {
    fn clone(&self) -> Self {
        Identity::default()
    }
}

impl TermTable {
    /// The number of terms so far.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Whether there is no term yet.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// The term's operation, arguments and sort.
    pub fn data(&self, t: TermId) -> &TermData {
        &self.terms[t]
    }

    /// The term's operation.
    pub fn op(&self, t: TermId) -> Op {
        self.terms[t].op
    }

    /// The term's arguments.
    pub fn args(&self, t: TermId) -> &[TermId] {
        &self.terms[t].args
    }

    /// The term's sort.
    pub fn sort(&self, t: TermId) -> Sort {
        self.terms[t].sort
    }

    /// The width of a bit-vector term.
    ///
    /// # Panics
    /// If the term is not a bit-vector.
    pub fn width(&self, t: TermId) -> u32 {
        self.sort(t).width().expect("a bit-vector term")
    }

    /// The sort that applying `op` to `args` would have.
    pub fn check_sorts(&self, op: Op, args: &[TermId]) -> Result<Sort, SortError> {
        let sorts: Vec<Sort> = args.iter().map(|&a| self.sort(a)).collect();
        let Op::Apply(f) = op else { return op.result_sort(&sorts) };
        let func = &self.funcs[f];
        if func.args == sorts {
            return Ok(func.result);
        }
        let args = sorts.iter().map(Sort::to_string).collect::<Vec<_>>().join(" ");
        Err(SortError { op: func.name.clone(), args })
    }

    /// The name of an uninterpreted sort.
    pub fn sort_name(&self, id: SortId) -> &str {
        &self.sorts[id]
    }

    /// The function of that name, if it is declared.
    pub fn find_func(&self, name: &str) -> Option<FuncId> {
        self.func_index.get(name).copied()
    }

    /// A function's declaration.
    pub fn func_data(&self, f: FuncId) -> &FuncData {
        &self.funcs[f]
    }

    /// The bits of a bit-vector constant.
    pub fn as_bv(&self, t: TermId) -> Option<u128> {
        match self.op(t) {
            Op::BvConst { bits, .. } => Some(bits),
            _ => None,
        }
    }

    /// The value of an integer constant.
    pub fn as_int(&self, t: TermId) -> Option<i128> {
        match self.op(t) {
            Op::IntConst(n) => Some(n),
            _ => None,
        }
    }

    /// The value of a truth constant.
    pub fn as_bool(&self, t: TermId) -> Option<bool> {
        match self.op(t) {
            Op::True => Some(true),
            Op::False => Some(false),
            _ => None,
        }
    }

    /// Whether the term is a constant of an interpreted sort.
    pub fn is_literal_constant(&self, t: TermId) -> bool {
        matches!(self.op(t), Op::True | Op::False | Op::BvConst { .. } | Op::IntConst(_))
    }

    /// Whether the sign bit is plainly zero.
    pub(crate) fn is_non_negative(&self, t: TermId) -> bool {
        match self.op(t) {
            Op::BvConst { width, bits } => to_signed(bits, width) >= 0,
            Op::ZeroExtend(_) => true,
            _ => false,
        }
    }

    /// Whether the term is a constant with its sign bit set.
    pub(crate) fn is_negative_constant(&self, t: TermId) -> bool {
        matches!(self.op(t), Op::BvConst { width, bits } if to_signed(bits, width) < 0)
    }

    /// All terms below `roots`, each once, arguments before users.
    pub fn reachable(&self, roots: &[TermId]) -> Vec<TermId> {
        let mut seen: FxHashSet<TermId> = roots.iter().copied().collect();
        let mut work: Vec<TermId> = seen.iter().copied().collect();
        while let Some(t) = work.pop() {
            for &a in self.args(t) {
                if seen.insert(a) {
                    work.push(a);
                }
            }
        }
        let mut all: Vec<TermId> = seen.into_iter().collect();
        all.sort_unstable_by_key(|t| t.index());
        all
    }

    fn intern(&mut self, data: TermData) -> TermId {
        let hash = FxBuildHasher.hash_one(&data);
        if let Some(&found) = self.index.find(hash, |&t| self.terms[t] == data) {
            return found;
        }
        let id = self.terms.push(data);
        let terms = &self.terms;
        self.index.insert_unique(hash, id, |&t| FxBuildHasher.hash_one(&terms[t]));
        id
    }
}

impl TermPool {
    /// An empty pool.
    pub fn new() -> Self {
        Self::default()
    }

    /// A number that no other pool of this process has.
    pub fn identity(&self) -> u64 {
        self.identity.0
    }

    /// Interns an application as it is, without simplifying it.
    ///
    /// # Panics
    /// If the arguments don't fit the operation; see [`TermTable::check_sorts`].
    pub fn raw(&mut self, op: Op, args: &[TermId]) -> TermId {
        self.work.made += 1;
        match self.check_sorts(op, args) {
            Ok(sort) => self.table.intern(TermData { op, args: args.into(), sort }),
            Err(error) => panic!("ill-sorted term: {error}"),
        }
    }

    /// Declares an uninterpreted sort, or finds the one of that name.
    pub fn named_sort(&mut self, name: &str) -> Sort {
        let found = self.table.sorts.iter().find(|(_, n)| *n == name).map(|(id, _)| id);
        Sort::Named(found.unwrap_or_else(|| self.table.sorts.push(name.to_string())))
    }

    /// Declares a function, or finds the one of that name.
    ///
    /// # Panics
    /// If the name is declared with other sorts.
    pub fn func(&mut self, name: &str, args: &[Sort], result: Sort) -> FuncId {
        if let Some(&id) = self.table.func_index.get(name) {
            let known = &self.table.funcs[id];
            assert!(known.args == args && known.result == result, "{name} declared twice");
            return id;
        }
        let id = self.table.funcs.push(FuncData { name: name.into(), args: args.to_vec(), result });
        self.table.func_index.insert(name.to_string(), id);
        id
    }

    /// The constant of that name and sort, declared if need be.
    pub fn constant(&mut self, name: &str, sort: Sort) -> TermId {
        let f = self.func(name, &[], sort);
        self.raw(Op::Apply(f), &[])
    }

    /// A bit-vector constant symbol.
    pub fn bv_var(&mut self, name: &str, width: u32) -> TermId {
        self.constant(name, Sort::BitVec(width))
    }

    /// An integer constant symbol.
    pub fn int_var(&mut self, name: &str) -> TermId {
        self.constant(name, Sort::Int)
    }

    /// A truth-value constant symbol.
    pub fn bool_var(&mut self, name: &str) -> TermId {
        self.constant(name, Sort::Bool)
    }

    /// A constant symbol whose name no other symbol has.
    pub fn fresh(&mut self, hint: &str, sort: Sort) -> TermId {
        loop {
            let name = format!("{hint}!{}", self.fresh);
            self.fresh += 1;
            if !self.table.func_index.contains_key(&name) {
                return self.constant(&name, sort);
            }
        }
    }

    /// Applies a declared function.
    pub fn apply(&mut self, f: FuncId, args: &[TermId]) -> TermId {
        self.raw(Op::Apply(f), args)
    }

    /// Rebuilds `roots` bottom-up with simplifying constructors. `replace` may
    /// give a term another meaning: it is asked for every term, with its
    /// rebuilt arguments, and `None` keeps the operation.
    pub fn rebuild(
        &mut self,
        roots: &[TermId],
        mut replace: impl FnMut(&mut TermPool, TermId, &[TermId]) -> Option<TermId>,
    ) -> Vec<TermId> {
        let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
        for t in self.reachable(roots) {
            let args: Vec<TermId> = self.args(t).iter().map(|a| done[a]).collect();
            let new = match replace(self, t, &args) {
                Some(new) => new,
                None => self.mk(self.op(t), &args),
            };
            done.insert(t, new);
        }
        roots.iter().map(|t| done[t]).collect()
    }
}
