//! What a block knows of memory: cells by array and offset.
//!
//! An offset is a symbolic part and a number. Cells with the same symbolic part are apart by
//! a number that is known; whether two with different ones overlap is not, and where that
//! matters the attempt ends.

use std::collections::{BTreeMap, HashMap};

use duet_ir::{Array, Type};
use duet_smt::{Op, TermId, TermPool, to_signed};

use super::guards::Guard;
use crate::engines::NotShown;

/// A piece of memory: an array of the block, or of one thread.
pub type Piece = (Array, Option<u32>);

/// A place: the symbolic part of the offset, and the number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The symbolic part, if there is one.
    pub base: Option<TermId>,
    /// What is added to it.
    pub number: i64,
}

impl Place {
    /// Is the number so small that distances are what they seem?
    pub fn is_near(&self) -> bool {
        self.number.unsigned_abs() < 1 << 40 && (self.base.is_some() || self.number >= 0)
    }

    /// The place that an offset names.
    pub fn of(pool: &mut TermPool, offset: TermId) -> Place {
        let offset = without_carry(pool, offset);
        let number = |term: TermId| match pool.op(term) {
            Op::BvConst { width, bits } => Some(to_signed(bits, width) as i64),
            _ => None,
        };
        if let Some(number) = number(offset) {
            return Place { base: None, number };
        }
        if pool.op(offset) == Op::BvAdd {
            let args = pool.args(offset).to_vec();
            let constant: i64 = args.iter().filter_map(|&arg| number(arg)).sum();
            let rest: Vec<TermId> =
                args.iter().copied().filter(|&arg| number(arg).is_none()).collect();
            if rest.len() < args.len() {
                let base = if rest.len() == 1 { rest[0] } else { pool.bits().sum(&rest) };
                return Place { base: Some(base), number: constant };
            }
        }
        Place { base: Some(offset), number: 0 }
    }
}

/// A cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell {
    /// The whole offset.
    pub offset: TermId,
    /// The type of what it holds.
    pub ty: Type,
    /// What it holds.
    pub value: TermId,
    /// When it was written.
    pub guard: Guard,
}

/// Cells of all pieces.
#[derive(Clone, Debug, Default)]
pub struct Cells {
    pieces: HashMap<Piece, BTreeMap<Place, Cell>>,
}

impl Cells {
    /// The cell at a place, if it is there.
    ///
    /// # Errors
    /// If another one may overlap it.
    pub fn find(&self, piece: Piece, place: Place, ty: Type) -> Result<Option<Cell>, NotShown> {
        let Some(cells) = self.pieces.get(&piece) else { return Ok(None) };
        if let Some(cell) = cells.get(&place) {
            return match cell.ty == ty {
                true => Ok(Some(*cell)),
                false => Err("a cell is accessed at several types".into()),
            };
        }
        self.is_apart(piece, place, ty)?;
        Ok(None)
    }

    /// Does no other cell of the piece overlap the place?
    ///
    /// SOUNDNESS: cells at different symbolic offsets may be the same one (test
    /// `cells_at_unknown_distances_may_overlap`).
    pub fn is_apart(&self, piece: Piece, place: Place, ty: Type) -> Result<(), NotShown> {
        let Some(cells) = self.pieces.get(&piece) else { return Ok(()) };
        let (Some(first), Some(last)) = (cells.keys().next(), cells.keys().next_back()) else {
            return Ok(());
        };
        if first.base != place.base || last.base != place.base {
            return Err("two offsets are an unknown distance apart".into());
        }
        let size = bytes(ty).max(16);
        let near = Place { base: place.base, number: place.number.saturating_sub(size) }..=Place {
            base: place.base,
            number: place.number.saturating_add(size),
        };
        for (other, cell) in cells.range(near) {
            let (up, down) = (other.number - place.number, place.number - other.number);
            let overlaps = up >= 0 && up < bytes(ty) || down >= 0 && down < bytes(cell.ty);
            if *other != place && overlaps {
                return Err("two accesses overlap in part".into());
            }
        }
        Ok(())
    }

    /// Puts a cell.
    pub fn put(&mut self, piece: Piece, place: Place, cell: Cell) {
        self.pieces.entry(piece).or_default().insert(place, cell);
    }

    /// All cells, piece by piece.
    pub fn iter(&self) -> impl Iterator<Item = (Piece, Place, Cell)> + '_ {
        let mut pieces: Vec<Piece> = self.pieces.keys().copied().collect();
        pieces.sort_unstable();
        pieces.into_iter().flat_map(|piece| {
            self.pieces[&piece].iter().map(move |(place, cell)| (piece, *place, *cell))
        })
    }

    /// The cells of a piece.
    pub fn of(&self, piece: Piece) -> BTreeMap<Place, Cell> {
        self.pieces.get(&piece).cloned().unwrap_or_default()
    }

    /// Forgets all of them.
    pub fn clear(&mut self) {
        self.pieces.clear();
    }
}

/// Bytes of a value.
pub fn bytes(ty: Type) -> i64 {
    ty.bits().map_or(8, |bits| i64::from(bits.div_ceil(8)))
}

/// The offset with numbers taken out of extended sums: `zext(x + c)` is `zext(x) + c` if the
/// low bits of x are zero as far as c has bits, and so is `sext(x + c)` below the sign.
///
/// SOUNDNESS: only a sum without a carry keeps its value when it is extended (test
/// `a_sum_that_carries_stays_whole`).
pub fn without_carry(pool: &mut TermPool, offset: TermId) -> TermId {
    pool.rebuild(&[offset], |pool, term, args| {
        let (width, is_signed) = match pool.op(term) {
            Op::ZeroExtend(_) => (pool.width(term), false),
            Op::SignExtend(_) => (pool.width(term), true),
            // Factors are given to each summand, so that numbers meet.
            Op::BvMul => return distributed(pool, args),
            _ => return None,
        };
        let inner = args[0];
        if pool.op(inner) != Op::BvAdd {
            return None;
        }
        let parts = pool.args(inner).to_vec();
        let (numbers, rest): (Vec<TermId>, Vec<TermId>) =
            parts.into_iter().partition(|&part| pool.as_bv(part).is_some());
        let [number] = numbers[..] else { return None };
        let bits = pool.as_bv(number)?;
        let low = rest.iter().map(|&part| zeros(pool, part)).min()?;
        if bits >= 1 << low.min(30) {
            return None;
        }
        let rest = if rest.len() == 1 { rest[0] } else { pool.bits().sum(&rest) };
        let rest = match is_signed {
            true => pool.bits().sext_or_trunc(rest, width),
            false => pool.bits().zext_or_trunc(rest, width),
        };
        let number = pool.bv(width, bits);
        Some(pool.bits().add(rest, number))
    })[0]
}

/// A product of a number and a sum with a number in it, multiplied out.
fn distributed(pool: &mut TermPool, args: &[TermId]) -> Option<TermId> {
    let [a, b] = *args else { return None };
    let (factor, sum) = if pool.as_bv(a).is_some() { (a, b) } else { (b, a) };
    pool.as_bv(factor)?;
    if pool.op(sum) != Op::BvAdd || !pool.args(sum).iter().any(|&one| pool.as_bv(one).is_some()) {
        return None;
    }
    let parts = pool.args(sum).to_vec();
    let products: Vec<TermId> =
        parts.into_iter().map(|part| pool.bits().mul(factor, part)).collect();
    Some(pool.bits().sum(&products))
}

/// How many low bits of a term are surely zero.
fn zeros(pool: &TermPool, term: TermId) -> u32 {
    match pool.op(term) {
        Op::BvConst { width, bits } => bits.trailing_zeros().min(width),
        Op::BvMul => pool.args(term).iter().map(|&arg| zeros(pool, arg)).sum::<u32>().min(63),
        Op::BvAdd => pool.args(term).iter().map(|&arg| zeros(pool, arg)).min().unwrap_or(0),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::Place;
    use duet_smt::{TermId, TermPool};

    #[test]
    fn a_sum_that_carries_stays_whole() {
        let mut pool = TermPool::new();
        let x = pool.bv_var("x", 32);
        let block = pool.bv(32, 128);
        let base = pool.bits().mul(x, block);
        let mut place = |base: TermId, number: u128, is_signed: bool| {
            let number = pool.bv(32, number);
            let sum = pool.bits().add(base, number);
            let wide = match is_signed {
                true => pool.bits().sext_or_trunc(sum, 64),
                false => pool.bits().zext_or_trunc(sum, 64),
            };
            let four = pool.bv(64, 4);
            let offset = pool.bits().mul(wide, four);
            Place::of(&mut pool, offset)
        };
        for is_signed in [false, true] {
            let (one, last) = (place(base, 1, is_signed), place(base, 127, is_signed));
            assert_eq!((one.base, one.number, last.number), (last.base, 4, 508));
            // Both of these may wrap.
            assert_ne!(place(base, 128, is_signed).base, one.base);
            assert_ne!(place(x, 1, is_signed).number, 4);
        }
    }
}
