//! Arrays that both kernels access by atomic sums alone, such as histograms.
//!
//! Such an array holds in the end what it held at first and all that was added, in any order.
//! So two kernels leave the same if their additions correspond one to one, each to one at the
//! same place of the same value. What tells the additions of a kernel apart is its *key*: the
//! offset of something that it reads (`in[i]` of `bins[in[i]]`), or what its condition compares.
//!
//! *Why it is sound.* Goals are: no two additions of a site have the same key, on either side;
//! each addition of A has a witness of B with its key, which adds the same at the same place;
//! and each addition of B has a witness of A with its key. So additions with the same key
//! correspond, one to one and onto. That a witness is a thread of the launch that gets there is
//! a goal as ever. Sites correspond one to one.

use std::collections::BTreeSet;

use duet_ir::{Array, AtomicOp, Type};
use duet_smt::{Op, TermId};

use super::folds::Folds;
use super::offsets::same_offset;
use super::witness::{wanted_if, witnesses_of};
use super::{Chase, Witness};
use crate::engines::NotShown;
use crate::engines::blocks::run::What;
use crate::pair::request::Side;

/// Keys that are tried for two sites.
const MOST_KEYS: usize = 4;

/// Compares atomic operations.
pub(super) struct Additions<'c, 'a> {
    pub(super) chase: &'c mut Chase<'a>,
}

impl Additions<'_, '_> {
    /// Is the array changed by atomic operations, on either side?
    pub(super) fn is_any(&self, pair: [Array; 2]) -> bool {
        Side::BOTH.into_iter().any(|side| !self.additions(side, pair[side.index()]).is_empty())
    }

    fn additions(&self, side: Side, array: Array) -> Vec<usize> {
        let events = self.chase.sides[side.index()].events.iter().enumerate();
        let own = events.filter(|(_, event)| event.array == array);
        own.filter(|(_, event)| matches!(event.what, What::Adds(..))).map(|(at, _)| at).collect()
    }

    /// Are atomic operations the only accesses to the arrays that they change?
    ///
    /// SOUNDNESS: what is read or written beside them is not ordered with them (test
    /// `sums_of_other_launches`).
    pub(super) fn are_alone(&self) -> Result<(), NotShown> {
        for side in &self.chase.sides {
            let is_add = |what: &What| matches!(what, What::Adds(..));
            let added = side.events.iter().filter(|event| is_add(&event.what));
            for array in added.map(|event| event.array) {
                let mut others = side.events.iter().filter(|event| event.array == array);
                if others.any(|event| !is_add(&event.what)) {
                    return Err("an array is accessed by atomic operations and otherwise".into());
                }
            }
        }
        Ok(())
    }

    /// Do the additions of both sides to an array correspond?
    pub(super) fn are_same(&mut self, pair: [Array; 2]) -> Result<(), NotShown> {
        let [a, b] = Side::BOTH.map(|side| self.additions(side, pair[side.index()]));
        if a.len() != b.len() {
            return Err("the kernels have not as many atomic operations".into());
        }
        // SOUNDNESS: sums of different widths at one place carry into each other (test
        // `atomic_sums_of_different_widths_keep_their_order`).
        let of = |side: Side, sites: &[usize]| -> BTreeSet<Type> {
            sites.iter().map(|&site| self.chase.event(side, site).ty).collect()
        };
        let types = &of(Side::A, &a) | &of(Side::B, &b);
        if types.len() > 1 {
            return Err("atomic sums of different types".into());
        }
        let mut left = b;
        for site in a {
            let mut why = NotShown::from("no atomic operation is left");
            let mut found = None;
            for &other in &left {
                match self.correspond([site, other]) {
                    Ok(()) => found = Some(other),
                    Err(reason) => why = reason,
                }
                if found.is_some() {
                    break;
                }
            }
            // SOUNDNESS: each site counts once (test `sums_of_other_launches`).
            let found = found.ok_or(why)?;
            left.retain(|other| *other != found);
        }
        Ok(())
    }

    fn correspond(&mut self, sites: [usize; 2]) -> Result<(), NotShown> {
        let [a, b] = Side::BOTH.map(|side| self.chase.event(side, sites[side.index()]));
        let (What::Adds(op, x), What::Adds(other, y)) = (a.what, b.what) else {
            return Err("no atomic operation".into());
        };
        if (op, a.ty) != (other, b.ty) || !is_followed(op, a.ty) {
            return Err("the atomic operations are not the same".into());
        }
        let mut why = NotShown::from("nothing tells the atomic operations apart");
        for keys in self.keys([[a.offset, x, a.guard], [b.offset, y, b.guard]]) {
            match self.correspond_by(sites, keys) {
                Ok(()) => return Ok(()),
                Err(reason) => why = reason,
            }
        }
        Err(why)
    }

    /// Pairs of terms of both sides that may tell additions apart: what is read, then what is
    /// compared.
    fn keys(&self, terms: [[TermId; 3]; 2]) -> Vec<[TermId; 2]> {
        let [a, b] = terms.map(|of| self.reads_of_inputs(&of[..2]));
        let mut list = vec![];
        for (func, x) in &a {
            list.extend(b.iter().filter(|(other, _)| other == func).map(|(_, y)| [*x, *y]));
        }
        let [x, y] = terms.map(|[.., guard]| self.compared(guard));
        list.extend(x.into_iter().flat_map(|x| y.iter().map(move |y| [x, *y])));
        let sort = |term: TermId| self.chase.pool.sort(term);
        list.retain(|[x, y]| sort(*x) == sort(*y));
        list.dedup();
        list.truncate(MOST_KEYS);
        list
    }

    fn reads_of_inputs(&self, terms: &[TermId]) -> Vec<(duet_smt::FuncId, TermId)> {
        let is_start = |term: TermId| match (self.chase.pool.op(term), self.chase.pool.args(term)) {
            (Op::Apply(func), &[offset]) => {
                let name = &self.chase.pool.func_data(func).name;
                name.starts_with("start.").then_some((func, offset))
            }
            _ => None,
        };
        self.chase.pool.reachable(terms).into_iter().filter_map(is_start).collect()
    }

    /// What a condition compares with something.
    fn compared(&self, guard: TermId) -> Vec<TermId> {
        let is_comparison = |op: Op| matches!(op, Op::Slt | Op::Sle | Op::Ult | Op::Ule);
        let all = self.chase.pool.reachable(&[guard]).into_iter();
        let comparisons = all.filter(|&term| is_comparison(self.chase.pool.op(term)));
        let args = comparisons.flat_map(|term| self.chase.pool.args(term).to_vec());
        args.filter(|&arg| self.chase.pool.as_bv(arg).is_none()).collect()
    }

    fn correspond_by(&mut self, sites: [usize; 2], keys: [TermId; 2]) -> Result<(), NotShown> {
        for side in Side::BOTH {
            self.tells_apart(side, sites[side.index()], keys[side.index()])?;
        }
        for from in Side::BOTH {
            self.has_counterpart(from, sites, keys)?;
        }
        Ok(())
    }

    /// Do no two additions of a site have the same key?
    fn tells_apart(&mut self, side: Side, site: usize, key: TermId) -> Result<(), NotShown> {
        let event = self.chase.event(side, site);
        let (mut all, mut facts, mut terms) = (vec![], vec![], vec![]);
        for _ in 0..2 {
            let (ids, more) = self.chase.anybody(side, site, None);
            facts.extend(more);
            facts.push(self.chase.at(side, site, &ids, event.guard));
            facts.extend(self.chase.keeps(side, site, &ids));
            terms.push(self.chase.at(side, site, &ids, key));
            all.push(ids);
        }
        facts.push(same_offset(&mut self.chase.pool, terms[0], terms[1]));
        let goals: Vec<TermId> =
            all[0].iter().zip(&all[1]).map(|(&x, &y)| self.chase.pool.eq(x, y)).collect();
        let shown = self.chase.goals.show_all(&mut self.chase.pool, &facts, &goals);
        shown.map_err(|_| "two atomic operations are not told apart".into())
    }

    /// Has each addition of a side one of the other with the same key? Forward: which adds the
    /// same at the same place.
    fn has_counterpart(
        &mut self,
        from: Side,
        sites: [usize; 2],
        keys: [TermId; 2],
    ) -> Result<(), NotShown> {
        let (to, site) = (from.other(), sites[from.index()]);
        let other = sites[to.index()];
        let event = self.chase.event(from, site);
        let ids = self.chase.own(from, site);
        let mut facts = self.chase.sides[from.index()].thread.facts.clone();
        facts.push(event.guard);
        facts.extend(self.chase.exact(from, site, &ids));
        facts.extend(self.chase.keeps(from, site, &ids));
        let key = self.chase.named(from, site, keys[from.index()], &mut facts);
        let mut why = NotShown::from("no thread is proposed");
        for witness in witnesses_of(self.chase, to, (other, keys[to.index()]), key, &ids, None) {
            match self.is_counterpart((from, site, key), &witness, keys[to.index()], &facts) {
                Ok(()) => return Ok(()),
                Err(reason) => why = reason,
            }
        }
        Err(why)
    }

    fn is_counterpart(
        &mut self,
        (from, site, key): (Side, usize, TermId),
        witness: &Witness,
        theirs: TermId,
        facts: &[TermId],
    ) -> Result<(), NotShown> {
        let to = from.other();
        let own = self.chase.at(to, witness.site, &witness.ids, theirs);
        let is_key = same_offset(&mut self.chase.pool, own, key);
        let wanted = wanted_if(self.chase, to, witness, is_key);
        let keeps = self.chase.keeps(to, witness.site, &witness.ids);
        let facts: Vec<TermId> = facts.iter().copied().chain(keeps).collect();
        self.chase.goals.show_all(&mut self.chase.pool, &facts, &wanted)?;
        if from == Side::B {
            return Ok(());
        }
        let facts: Vec<TermId> = facts.into_iter().chain(wanted).collect();
        let (mine, yours) = (self.chase.event(from, site), self.chase.event(to, witness.site));
        let (What::Adds(_, x), What::Adds(_, y)) = (mine.what, yours.what) else {
            return Err("no atomic operation".into());
        };
        for (mine, yours) in [(mine.offset, yours.offset), (x, y)] {
            let yours = self.chase.at(to, witness.site, &witness.ids, yours);
            let mine = self.chase.resolve(from, mine, &facts, 0)?;
            let yours = self.chase.resolve(to, yours, &facts, 0)?;
            Folds { chase: self.chase }.same(mine, yours, &facts)?;
        }
        Ok(())
    }
}

/// Is the operation one whose order does not matter, of numbers?
fn is_followed(op: AtomicOp, ty: Type) -> bool {
    match op {
        AtomicOp::Add
        | AtomicOp::Sub
        | AtomicOp::SMin
        | AtomicOp::SMax
        | AtomicOp::UMin
        | AtomicOp::UMax
        | AtomicOp::And
        | AtomicOp::Or
        | AtomicOp::Xor => matches!(ty, Type::Int(_)),
        // In exact arithmetic this is refused before.
        AtomicOp::FAdd => matches!(ty, Type::Float(_)),
        AtomicOp::FMin
        | AtomicOp::FMax
        | AtomicOp::Exchange
        | AtomicOp::IncWrap
        | AtomicOp::DecWrap
        | AtomicOp::CompareExchange
        | AtomicOp::Load
        | AtomicOp::Store => false,
    }
}
