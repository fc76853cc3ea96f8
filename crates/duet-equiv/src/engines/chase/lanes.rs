//! Vectors against single elements: `out[i] = …` and `((float4 *)out)[i] = …`.
//!
//! A vector store writes neighbouring elements, one site for each. Which of them writes an
//! element is its number modulo the length of the vector, so the place is split into that many
//! cases: in case l the element is `length * q + l`, and the writer is looked for at lane l of
//! the vector q.
//!
//! *Why it is sound.* Every number that is not negative is `length * q + l` for one q and one
//! lane l, so the cases are all there are; that the element's number is not negative is shown
//! first, or it is extended without a sign. In each case a partner is shown as ever.

use duet_smt::{Sort, TermId};

use super::offsets::{element, is_signed, shifted};
use super::{Chase, Witness};
use crate::engines::NotShown;
use crate::pair::request::Side;

/// Elements of the longest vector.
const LONGEST: u128 = 16;

/// The site of each element of a vector.
struct Vector {
    sites: Vec<usize>,
}

/// Compares vectors with single elements.
pub(super) struct Lanes<'c, 'a> {
    pub(super) chase: &'c mut Chase<'a>,
}

impl Lanes<'_, '_> {
    /// Finds the lanes of vectors of the other side that are partners of a write.
    pub(super) fn partners(
        &mut self,
        from: Side,
        (site, place): (usize, TermId),
        pair: [duet_ir::Array; 2],
        facts: &[TermId],
    ) -> Result<(), NotShown> {
        let (index, by) = element(&self.chase.pool, place).ok_or("the place is no element")?;
        if self.chase.pool.width(index) != 32 {
            return Err("the number of an element has not 32 bits".into());
        }
        let to = from.other();
        let ty = self.chase.event(from, site).ty;
        let vectors = self.vectors(to, pair[to.index()], (ty, by));
        if vectors.is_empty() {
            return Err("there is no vector".into());
        }
        if is_signed(&self.chase.pool, place) {
            let zero = self.chase.pool.bv(32, 0);
            let is_natural = self.chase.pool.compare().sle(zero, index);
            self.chase.goals.show_all(&mut self.chase.pool, facts, &[is_natural])?;
        }
        let mut why = NotShown::from("there is no vector");
        for vector in vectors {
            match self.are_partners(from, (site, place, index, by), &vector, pair, facts) {
                Ok(()) => return Ok(()),
                Err(reason) => why = reason,
            }
        }
        Err(why)
    }

    /// Finds a partner of a lane of a vector among writes of single elements: lane l of vector
    /// q is element `length * q + l`.
    ///
    /// SOUNDNESS: that this number does not overflow is shown, as is that the places are the
    /// same (test `vectors_beyond_the_last_element`).
    pub(super) fn partner_of_one(
        &mut self,
        from: Side,
        (site, place): (usize, TermId),
        pair: [duet_ir::Array; 2],
        facts: &[TermId],
    ) -> Result<(), NotShown> {
        let (base, number) = shifted(&self.chase.pool, place);
        let (index, stride) = element(&self.chase.pool, base).ok_or("the place is no vector")?;
        let bytes = u128::from(self.chase.event(from, site).ty.bits().unwrap_or(8) / 8).max(1);
        let length = stride / bytes;
        let is_lane = stride.is_multiple_of(bytes) && number.is_multiple_of(bytes);
        if !is_lane || number >= stride || length < 2 || self.chase.pool.width(index) != 32 {
            return Err("the place is no lane".into());
        }
        let lane = number / bytes;
        let most = self.chase.pool.bv(32, ((1 << 31) - 1 - lane) / length);
        let is_small = self.chase.pool.compare().ule(index, most);
        self.chase.goals.show_all(&mut self.chase.pool, facts, &[is_small])?;
        let (times, shift) = (self.chase.pool.bv(32, length), self.chase.pool.bv(32, lane));
        let product = self.chase.pool.bits().mul(times, index);
        let own = self.chase.pool.bits().add(product, shift);
        let name = self.chase.pool.fresh("index", Sort::BitVec(32));
        let mut case = facts.to_vec();
        case.push(is_small);
        case.push(self.chase.pool.eq(name, own));
        let width = self.chase.pool.width(place);
        let wide = self.chase.pool.bits().sext_or_trunc(name, width);
        let bytes = self.chase.pool.bv(width, bytes);
        let there = self.chase.pool.bits().mul(wide, bytes);
        let is_there = self.chase.pool.eq(place, there);
        self.chase.goals.show_all(&mut self.chase.pool, &case, &[is_there])?;
        let to = from.other();
        self.chase.places.push((place, there));
        let ids = self.chase.own(from, site);
        let mut shown = Err(NotShown::from("no element is a partner"));
        let ty = self.chase.event(from, site).ty;
        for other in self.chase.writes(to, pair[to.index()]) {
            if self.chase.event(to, other).ty != ty {
                continue;
            }
            for witness in self.chase.witnesses(to, other, there, &ids, None) {
                if shown.is_err() {
                    shown = self.chase.is_partner(from, (site, there), &witness, &case);
                }
            }
        }
        self.chase.places.pop();
        shown
    }

    /// The vectors of elements of a type that are written, as far as their elements are all
    /// there.
    fn vectors(
        &self,
        side: Side,
        array: duet_ir::Array,
        (ty, by): (duet_ir::Type, u128),
    ) -> Vec<Vector> {
        let sites: Vec<(usize, TermId, u128)> = self
            .chase
            .writes(side, array)
            .into_iter()
            .filter(|&site| self.chase.event(side, site).ty == ty)
            .map(|site| {
                let (base, number) = shifted(&self.chase.pool, self.chase.event(side, site).offset);
                (site, base, number)
            })
            .collect();
        let mut list = vec![];
        for &(_, base, _) in sites.iter().filter(|(_, _, number)| *number == 0) {
            let Some((_, stride)) = element(&self.chase.pool, base) else { continue };
            let length = stride / by;
            if !stride.is_multiple_of(by) || !(2..=LONGEST).contains(&length) {
                continue;
            }
            let lane = |lane: u128| {
                sites.iter().find(|(_, own, number)| *own == base && *number == lane * by)
            };
            let lanes: Option<Vec<usize>> =
                (0..length).map(|number| Some(lane(number)?.0)).collect();
            list.extend(lanes.map(|sites| Vector { sites }));
        }
        list
    }

    fn are_partners(
        &mut self,
        from: Side,
        (site, place, index, by): (usize, TermId, TermId, u128),
        vector: &Vector,
        pair: [duet_ir::Array; 2],
        facts: &[TermId],
    ) -> Result<(), NotShown> {
        let length = vector.sites.len() as u128;
        let width = self.chase.pool.width(place);
        let has_sign = is_signed(&self.chase.pool, place);
        for (lane, &other) in vector.sites.iter().enumerate() {
            let lane = lane as u128;
            let number = self.chase.pool.fresh("vector", Sort::BitVec(32));
            // SOUNDNESS: the case is about elements that the product reaches without overflow
            // (test `vectors_beyond_the_last_element`).
            let limit = if has_sign { 1u128 << 31 } else { 1 << 32 };
            let most = self.chase.pool.bv(32, (limit - 1 - lane) / length);
            let (times, shift) = (self.chase.pool.bv(32, length), self.chase.pool.bv(32, lane));
            let product = self.chase.pool.bits().mul(times, number);
            let own = self.chase.pool.bits().add(product, shift);
            let mut case = facts.to_vec();
            case.push(self.chase.pool.eq(index, own));
            case.push(self.chase.pool.compare().ule(number, most));
            // Below the sign both extensions are the same; the vector's own is compared.
            let theirs = self.chase.event(from.other(), other).offset;
            let (theirs, _) = shifted(&self.chase.pool, theirs);
            let wide = match is_signed(&self.chase.pool, theirs) {
                true => self.chase.pool.bits().sext_or_trunc(number, width),
                false => self.chase.pool.bits().zext_or_trunc(number, width),
            };
            let stride = self.chase.pool.bv(width, length * by);
            let base = self.chase.pool.bits().mul(wide, stride);
            let shift = self.chase.pool.bv(width, lane * by);
            let there = self.chase.pool.bits().add(base, shift);
            // What is read at the place is read there.
            let is_there = self.chase.pool.eq(place, there);
            self.chase.goals.show_all(&mut self.chase.pool, &case, &[is_there])?;
            self.chase.places.push((place, there));
            let shown = self.is_lane(from, (site, there), other, pair, &case);
            self.chase.places.pop();
            shown?;
        }
        Ok(())
    }

    /// Does the lane of a vector write the place, or another site where it does not?
    fn is_lane(
        &mut self,
        from: Side,
        (site, place): (usize, TermId),
        other: usize,
        pair: [duet_ir::Array; 2],
        facts: &[TermId],
    ) -> Result<(), NotShown> {
        if self.chase.goals.is_impossible(&mut self.chase.pool, facts) {
            return Ok(());
        }
        let (to, ids) = (from.other(), self.chase.own(from, site));
        let witnesses = self.chase.witnesses(to, other, place, &ids, None);
        for witness in &witnesses {
            if self.chase.is_partner(from, (site, place), witness, facts).is_ok() {
                return Ok(());
            }
        }
        for witness in &witnesses {
            if self.is_lane_or_rest(from, (site, place), witness, pair, facts).is_ok() {
                return Ok(());
            }
        }
        self.chase.partners_by_cases(from, (site, place), pair, facts)
    }

    /// Does the lane write the place where its vector is written at all, and a single element
    /// elsewhere? `if (i < n / 4)` and a rest.
    ///
    /// SOUNDNESS: the condition and its negation are all cases, and in each a partner is shown
    /// as ever (test `vectors_with_a_rest`).
    fn is_lane_or_rest(
        &mut self,
        from: Side,
        (site, place): (usize, TermId),
        witness: &Witness,
        pair: [duet_ir::Array; 2],
        facts: &[TermId],
    ) -> Result<(), NotShown> {
        let to = from.other();
        let guard = self.chase.event(to, witness.site).guard;
        let guard = self.chase.at(to, witness.site, &witness.ids, guard);
        let when: Vec<TermId> = facts.iter().copied().chain([guard]).collect();
        self.chase.is_partner(from, (site, place), witness, &when)?;
        let otherwise = self.chase.pool.not(guard);
        let rest: Vec<TermId> = facts.iter().copied().chain([otherwise]).collect();
        if self.chase.goals.is_impossible(&mut self.chase.pool, &rest) {
            return Ok(());
        }
        let (ids, by) = (self.chase.own(from, site), self.chase.event(from, site).ty);
        for single in self.chase.writes(to, pair[to.index()]) {
            if self.is_of_vector(to, single, pair[to.index()], by) {
                continue;
            }
            for witness in self.chase.witnesses(to, single, place, &ids, None) {
                if self.chase.is_partner(from, (site, place), &witness, &rest).is_ok() {
                    return Ok(());
                }
            }
        }
        Err("the rest is not shown to be written".into())
    }

    fn is_of_vector(
        &self,
        side: Side,
        site: usize,
        array: duet_ir::Array,
        ty: duet_ir::Type,
    ) -> bool {
        let by = u128::from(ty.bits().unwrap_or(8) / 8).max(1);
        self.vectors(side, array, (ty, by)).iter().any(|vector| vector.sites.contains(&site))
    }
}
