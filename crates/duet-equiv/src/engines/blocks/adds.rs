//! Atomic sums of a block: histograms and sums of several blocks.
//!
//! *Shared memory.* What is added in an interval to cells that no thread reads or writes there is
//! added when the interval ends. At an address that is no number, each cell of the array gets
//! the value under the condition that the address is its own; so all cells of the array must
//! have been written before, and their number must be known.
//!
//! *Global memory.* An array that a kernel accesses by atomic sums alone holds in the end what
//! it held at first and what all blocks add, in any order. So two kernels leave the same if
//! block b of each adds the same to each cell. Sums are compared as multisets of values with
//! conditions; where the addresses are not the same terms, a value at an address of few
//! possible values is one at each of these, under the condition that it is the address.
//!
//! *Why it is sound.* Sums modulo 2^w may be regrouped, and equal multisets of conditional
//! values have equal sums. Results of the operations are not used, and no array is changed by
//! two kinds of operations, which [`crate::pair::determinism`] sees to.

use std::collections::BTreeMap;
use std::rc::Rc;

use duet_ir::{Array, AtomicOp, Inst, InstData, Type};
use duet_smt::{Op, TermId, TermPool};

use super::guards::{Guard, Guards};
use super::memory::{Cell, Place, bytes, without_carry};
use super::ranges::{Range, put_together};
use super::run::BlockRun;
use super::sums::Summands;
use crate::engines::NotShown;
use crate::engines::terms::Env;

/// Values that are told apart at most.
const MOST_VALUES: usize = 1 << 20;
/// Values that an address may have.
const MOST_ADDRESSES: u128 = 1 << 12;

/// Something that a thread adds.
#[derive(Clone, Debug)]
pub struct Add {
    /// Under this condition.
    pub(super) guard: Guard,
    /// Here.
    pub(super) offset: TermId,
    /// At this type.
    pub(super) ty: Type,
    /// This.
    pub(super) value: TermId,
    /// In each iteration of a loop.
    pub(super) over: Option<Rc<Over>>,
}

/// Iterations that add something.
#[derive(Clone, Debug)]
pub(super) struct Over {
    pub(super) range: Range,
    /// Those in which it is added.
    pub(super) when: TermId,
}

impl Add {
    /// What is added at a place that the address is under a condition: by the iterations
    /// together, if there are any.
    fn at(
        &self,
        pool: &mut TermPool,
        guards: &mut Guards,
        is_here: TermId,
    ) -> Result<(Guard, TermId), NotShown> {
        let zero = pool.bv(pool.width(self.value), 0);
        let Some(over) = &self.over else {
            let when = guards.of(pool, is_here);
            return Ok((guards.and(self.guard, when), self.value));
        };
        let when = pool.and2(over.when, is_here);
        let value = pool.ite(when, self.value, zero);
        let sum = over.range.sum(pool, guards, value, self.ty);
        Ok((self.guard, sum.ok_or("a sum over a range is no term")?))
    }
}

/// Takes note of an atomic sum.
pub(super) fn note(
    run: &mut BlockRun<'_>,
    pool: &mut TermPool,
    env: &Env,
    guard: Guard,
    inst: Inst,
) -> Result<(), NotShown> {
    let func = run.terms.func;
    let InstData::Atomic { op, access, ty, args, .. } = &func.insts[inst] else {
        return Err("no atomic operation".into());
    };
    let Type::Int(_) = ty else { return Err("an atomic sum of floats".into()) };
    let [arg] = args[..] else { return Err("this atomic operation is not followed".into()) };
    let value = run.terms.term(pool, env, arg)?;
    let value = match op {
        AtomicOp::Add => value,
        AtomicOp::Sub => {
            let zero = pool.bv(pool.width(value), 0);
            pool.bits().sub(zero, value)
        }
        AtomicOp::SMin
        | AtomicOp::SMax
        | AtomicOp::UMin
        | AtomicOp::UMax
        | AtomicOp::And
        | AtomicOp::Or
        | AtomicOp::Xor
        | AtomicOp::FAdd
        | AtomicOp::FMin
        | AtomicOp::FMax
        | AtomicOp::Exchange
        | AtomicOp::IncWrap
        | AtomicOp::DecWrap
        | AtomicOp::CompareExchange
        | AtomicOp::Load
        | AtomicOp::Store => return Err("this atomic operation is not followed".into()),
    };
    let offset = run.terms.term(pool, env, access.offset)?;
    let offset = without_carry(pool, offset);
    let add = Add { guard, offset, ty: *ty, value, over: None };
    run.adds.entry(access.array).or_default().push(add);
    Ok(())
}

/// Ends an interval: what was added to shared cells is there.
pub(super) fn commit(
    run: &mut BlockRun<'_>,
    pool: &mut TermPool,
    guards: &mut Guards,
) -> Result<(), NotShown> {
    let arrays: Vec<Array> = run.adds.keys().copied().collect();
    for array in arrays {
        // SOUNDNESS: what is read or written beside atomic sums is not ordered with them
        // (tests `plain_stores_and_atomics`, `sums_beside_plain_accesses`).
        if !is_shared(run, array) {
            if is_accessed_otherwise(run, array) {
                return Err("an array is accessed by atomic sums and otherwise".into());
            }
            continue;
        }
        if run.touched.contains(&array) {
            return Err("atomic sums beside other accesses of an interval".into());
        }
        let adds = run.adds.remove(&array).unwrap_or_default();
        add_to_cells(run, pool, guards, array, &adds)?;
    }
    run.touched.clear();
    Ok(())
}

fn is_shared(run: &BlockRun<'_>, array: Array) -> bool {
    run.kernel.module.arrays[array].space == duet_ir::Space::Shared
}

/// Does the kernel access the array by anything but atomic operations?
fn is_accessed_otherwise(run: &BlockRun<'_>, array: Array) -> bool {
    let func = run.terms.func;
    func.insts_in_order().any(|inst| {
        let data = &func.insts[inst];
        let is_atomic = matches!(data, InstData::Atomic { .. });
        !is_atomic && data.accesses().iter().any(|(_, access)| access.array == array)
    })
}

fn add_to_cells(
    run: &mut BlockRun<'_>,
    pool: &mut TermPool,
    guards: &mut Guards,
    array: Array,
    adds: &[Add],
) -> Result<(), NotShown> {
    let piece = (array, None);
    let mut cells = run.memory.of(piece);
    // SOUNDNESS: a cell that no thread wrote may be changed too (test
    // `sums_in_cells_that_nobody_wrote`).
    let size = run.kernel.module.arrays[array].size;
    let known: i64 = cells.values().map(|cell| bytes(cell.ty)).sum();
    let is_whole = size.is_some_and(|size| size == known as u64)
        && cells.keys().all(|place| place.base.is_none());
    let mut sums: BTreeMap<Place, Vec<TermId>> = BTreeMap::new();
    for add in adds {
        let place = Place::of(pool, add.offset);
        let zero = pool.bv(pool.width(add.value), 0);
        if let Some(cell) = cells.get(&place).filter(|cell| cell.ty == add.ty) {
            let first = cell.value;
            let always = pool.tt();
            let (when, value) = add.at(pool, guards, always)?;
            let value = guards.select(pool, when, value, zero);
            sums.entry(place).or_insert_with(|| vec![first]).push(value);
            continue;
        }
        let address = Address::of(pool, add.offset).filter(|_| is_whole);
        let address = address.ok_or("an atomic sum at an address that is not known")?;
        for (&place, cell) in &cells {
            if cell.ty != add.ty {
                return Err("a cell is accessed at several types".into());
            }
            let Some(is_here) = address.is_at(pool, place.number) else { continue };
            let (when, value) = add.at(pool, guards, is_here)?;
            let value = guards.select(pool, when, value, zero);
            sums.entry(place).or_insert_with(|| vec![cell.value]).push(value);
        }
    }
    for (place, parts) in sums {
        let Some(cell) = cells.remove(&place) else { continue };
        // As it is: a long sum is taken apart when it is compared.
        let value = pool.raw(Op::BvAdd, &parts);
        run.memory.put(piece, place, Cell { value, guard: Guard::TRUE, ..cell });
    }
    Ok(())
}

/// An offset that is a multiple of a term, and a number: `factor * index + number`.
struct Address {
    index: TermId,
    factor: i64,
    number: i64,
    /// Values of the index.
    below: u128,
}

impl Address {
    fn of(pool: &mut TermPool, offset: TermId) -> Option<Address> {
        let Place { base, number } = Place::of(pool, offset);
        let base = base?;
        let (factor, mut index) = match (pool.op(base), pool.args(base)) {
            (Op::BvMul, [a, b]) => match (pool.as_bv(*a), pool.as_bv(*b)) {
                (Some(factor), None) => (factor, *b),
                (None, Some(factor)) => (factor, *a),
                _ => return None,
            },
            _ => (1, base),
        };
        while matches!(pool.op(index), Op::ZeroExtend(_)) {
            index = pool.args(index)[0];
        }
        let below = limit(pool, index).filter(|below| *below <= MOST_ADDRESSES)?;
        let factor = i64::try_from(factor).ok().filter(|factor| (1..1 << 32).contains(factor))?;
        Some(Address { index, factor, number, below })
    }

    /// The condition that it is a number; nothing if it never is.
    ///
    /// The index is below its limit and the factor small, so the product does not wrap.
    fn is_at(&self, pool: &mut TermPool, number: i64) -> Option<TermId> {
        let left = number.checked_sub(self.number)?;
        let index = u128::try_from(left / self.factor).ok()?;
        if left % self.factor != 0 || index >= self.below {
            return None;
        }
        let index = pool.bv(pool.width(self.index), index);
        Some(pool.eq(self.index, index))
    }
}

/// A number that is above all values of a term that is not negative.
fn limit(pool: &TermPool, term: TermId) -> Option<u128> {
    let args = pool.args(term);
    let number = |at: usize| args.get(at).and_then(|&arg| pool.as_bv(arg));
    let own = 1u128.checked_shl(pool.width(term).min(64))?;
    Some(match pool.op(term) {
        Op::ZeroExtend(_) | Op::SignExtend(_) => {
            let inner = limit(pool, args[0])?;
            let is_signed = matches!(pool.op(term), Op::SignExtend(_));
            let is_low = inner <= 1 << (pool.width(args[0]) - 1).min(63);
            if is_signed && !is_low { own } else { inner }
        }
        Op::BvAnd => {
            let numbers = (0..args.len()).filter_map(number).map(|bits| bits + 1);
            numbers.min().unwrap_or(own)
        }
        Op::BvUrem => number(1).filter(|bits| *bits > 0).unwrap_or(own),
        Op::BvLshr => match number(1) {
            Some(by) if by < 64 => limit(pool, args[0])?.div_ceil(1 << by),
            _ => own,
        },
        Op::BvUdiv => match number(1) {
            Some(by) if by > 0 => limit(pool, args[0])?.div_ceil(by),
            _ => own,
        },
        _ => own,
    })
}

/// What is added to each place: values with their conditions, and how often each.
type Added = BTreeMap<Place, BTreeMap<(Guard, TermId), u128>>;

/// Do the blocks of both sides add the same to an array?
///
/// # Errors
/// If that is not shown.
pub fn same(
    (pool, guards): (&mut TermPool, &mut Guards),
    adds: [&[Add]; 2],
) -> Result<(), NotShown> {
    let types: Vec<Type> = adds.iter().flat_map(|list| list.iter().map(|add| add.ty)).collect();
    // SOUNDNESS: sums of different widths at one place carry into each other (test
    // `sums_of_different_widths`).
    if types.iter().any(|ty| *ty != types[0]) {
        return Err("atomic sums of different types".into());
    }
    let mut why = NotShown::from("the blocks are not shown to add the same");
    for is_split in [false, true] {
        let sides = adds.map(|list| added((&mut *pool, &mut *guards), list, is_split));
        match sides {
            [Ok(a), Ok(b)] if a == b => return Ok(()),
            [Err(reason), _] | [_, Err(reason)] => why = reason,
            [Ok(_), Ok(_)] => {}
        }
    }
    Err(why)
}

fn added(
    (pool, guards): (&mut TermPool, &mut Guards),
    list: &[Add],
    is_split: bool,
) -> Result<Added, NotShown> {
    let mut all = Added::new();
    for add in list {
        let place = Place::of(pool, add.offset);
        let address = if is_split { Address::of(pool, add.offset) } else { None };
        let Some(address) = address else {
            if add.over.is_some() {
                return Err("loops add at addresses that are not known".into());
            }
            let mut values = vec![];
            collect((&mut *pool, &mut *guards), add.value, add.guard, &mut values)?;
            for value in values {
                *all.entry(place).or_default().entry(value).or_default() += 1;
            }
            continue;
        };
        for index in 0..address.below as i64 {
            let number = address.number + address.factor * index;
            let Some(is_here) = address.is_at(pool, number) else { continue };
            let (guard, value) = add.at(pool, guards, is_here)?;
            let place = Place { base: None, number };
            let mut values = vec![];
            collect((&mut *pool, &mut *guards), value, guard, &mut values)?;
            for value in values {
                *all.entry(place).or_default().entry(value).or_default() += 1;
            }
        }
    }
    for values in all.values_mut() {
        join_ranges(pool, guards, values);
    }
    Ok(all)
}

/// Puts sums over ranges together that are added at one place.
fn join_ranges(
    pool: &mut TermPool,
    guards: &mut Guards,
    values: &mut BTreeMap<(Guard, TermId), u128>,
) {
    let mut sums = Summands::new();
    for (&(guard, value), &count) in values.iter() {
        sums.entry(value).or_default().push((guard, count));
    }
    *values = put_together(pool, guards, &sums)
        .into_iter()
        .flat_map(|(value, counts)| {
            counts.into_iter().map(move |(guard, count)| ((guard, value), count))
        })
        .collect();
}

/// The values of a sum with the conditions under which they count.
fn collect(
    (pool, guards): (&mut TermPool, &mut Guards),
    sum: TermId,
    guard: Guard,
    values: &mut Vec<(Guard, TermId)>,
) -> Result<(), NotShown> {
    let mut left = vec![(guard, sum)];
    while let Some((guard, term)) = left.pop() {
        if guard == Guard::FALSE || pool.as_bv(term) == Some(0) {
            continue;
        }
        if values.len() + left.len() > MOST_VALUES {
            return Err("too many values are added".into());
        }
        let args = pool.args(term).to_vec();
        match pool.op(term) {
            Op::BvAdd => left.extend(args.into_iter().map(|arg| (guard, arg))),
            Op::Ite => {
                let when = guards.of(pool, args[0]);
                let otherwise = guards.not(when);
                left.push((guards.and(guard, when), args[1]));
                left.push((guards.and(guard, otherwise), args[2]));
            }
            _ => values.push((guard, term)),
        }
    }
    Ok(())
}
