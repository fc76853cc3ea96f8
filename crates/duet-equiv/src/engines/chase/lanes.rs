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

use super::{Chase, element, is_signed, shifted};
use crate::engines::NotShown;
use crate::pair::request::Side;

/// Elements of the longest vector.
const LONGEST: u128 = 16;

/// The site of each element of a vector.
struct Vector {
    sites: Vec<usize>,
}

impl Chase<'_> {
    /// Finds the lanes of vectors of the other side that are partners of a write.
    pub(super) fn partners_by_lanes(
        &mut self,
        from: Side,
        (site, place): (usize, TermId),
        pair: [duet_ir::Array; 2],
        facts: &[TermId],
    ) -> Result<(), NotShown> {
        let (index, by) = element(&self.pool, place).ok_or("the place is no element")?;
        if self.pool.width(index) != 32 {
            return Err("the number of an element has not 32 bits".into());
        }
        let to = from.other();
        let vectors = self.vectors(to, pair[to.index()], by);
        if vectors.is_empty() {
            return Err("there is no vector".into());
        }
        if is_signed(&self.pool, place) {
            let zero = self.pool.bv(32, 0);
            let is_natural = self.pool.compare().sle(zero, index);
            self.goals.show_all(&mut self.pool, facts, &[is_natural])?;
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
    pub(super) fn partner_of_lane(
        &mut self,
        from: Side,
        (site, place): (usize, TermId),
        pair: [duet_ir::Array; 2],
        facts: &[TermId],
    ) -> Result<(), NotShown> {
        let (base, number) = shifted(&self.pool, place);
        let (index, stride) = element(&self.pool, base).ok_or("the place is no vector")?;
        let bytes = u128::from(self.event(from, site).ty.bits().unwrap_or(8) / 8).max(1);
        let length = stride / bytes;
        let is_lane = stride.is_multiple_of(bytes) && number.is_multiple_of(bytes);
        if !is_lane || number >= stride || length < 2 || self.pool.width(index) != 32 {
            return Err("the place is no lane".into());
        }
        let lane = number / bytes;
        let most = self.pool.bv(32, ((1 << 31) - 1 - lane) / length);
        let is_small = self.pool.compare().ule(index, most);
        self.goals.show_all(&mut self.pool, facts, &[is_small])?;
        let (times, shift) = (self.pool.bv(32, length), self.pool.bv(32, lane));
        let product = self.pool.bits().mul(times, index);
        let own = self.pool.bits().add(product, shift);
        let name = self.pool.fresh("index", Sort::BitVec(32));
        let mut case = facts.to_vec();
        case.push(is_small);
        case.push(self.pool.eq(name, own));
        let width = self.pool.width(place);
        let wide = self.pool.bits().sext_or_trunc(name, width);
        let bytes = self.pool.bv(width, bytes);
        let there = self.pool.bits().mul(wide, bytes);
        let is_there = self.pool.eq(place, there);
        self.goals.show_all(&mut self.pool, &case, &[is_there])?;
        let to = from.other();
        self.places.push((place, there));
        let ids = self.own(from, site);
        let mut shown = Err(NotShown::from("no element is a partner"));
        for other in self.writes(to, pair[to.index()]) {
            for witness in self.witnesses(to, other, there, &ids, None) {
                if shown.is_err() {
                    shown = self.is_partner(from, (site, there), &witness, &case);
                }
            }
        }
        self.places.pop();
        shown
    }

    /// The vectors that are written, as far as their elements are all there.
    fn vectors(&self, side: Side, array: duet_ir::Array, by: u128) -> Vec<Vector> {
        let sites: Vec<(usize, TermId, u128)> = self
            .writes(side, array)
            .into_iter()
            .map(|site| {
                let (base, number) = shifted(&self.pool, self.event(side, site).offset);
                (site, base, number)
            })
            .collect();
        let mut list = vec![];
        for &(_, base, _) in sites.iter().filter(|(_, _, number)| *number == 0) {
            let Some((_, stride)) = element(&self.pool, base) else { continue };
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
        let width = self.pool.width(place);
        let is_signed = is_signed(&self.pool, place);
        for (lane, &other) in vector.sites.iter().enumerate() {
            let lane = lane as u128;
            let number = self.pool.fresh("vector", Sort::BitVec(32));
            // SOUNDNESS: the case is about elements that the product reaches without overflow
            // (test `vectors_beyond_the_last_element`).
            let limit = if is_signed { 1u128 << 31 } else { 1 << 32 };
            let most = self.pool.bv(32, (limit - 1 - lane) / length);
            let (times, shift) = (self.pool.bv(32, length), self.pool.bv(32, lane));
            let product = self.pool.bits().mul(times, number);
            let own = self.pool.bits().add(product, shift);
            let mut case = facts.to_vec();
            case.push(self.pool.eq(index, own));
            case.push(self.pool.compare().ule(number, most));
            // Below the sign both extensions are the same; the vector's own is compared.
            let theirs = self.event(from.other(), other).offset;
            let (theirs, _) = shifted(&self.pool, theirs);
            let wide = match super::is_signed(&self.pool, theirs) {
                true => self.pool.bits().sext_or_trunc(number, width),
                false => self.pool.bits().zext_or_trunc(number, width),
            };
            let stride = self.pool.bv(width, length * by);
            let base = self.pool.bits().mul(wide, stride);
            let shift = self.pool.bv(width, lane * by);
            let there = self.pool.bits().add(base, shift);
            // What is read at the place is read there.
            let is_there = self.pool.eq(place, there);
            self.goals.show_all(&mut self.pool, &case, &[is_there])?;
            self.places.push((place, there));
            let shown = self.is_lane(from, (site, there), other, pair, &case);
            self.places.pop();
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
        if self.goals.is_impossible(&mut self.pool, facts) {
            return Ok(());
        }
        let ids = self.own(from, site);
        for witness in self.witnesses(from.other(), other, place, &ids, None) {
            if self.is_partner(from, (site, place), &witness, facts).is_ok() {
                return Ok(());
            }
        }
        self.partners_by_cases(from, (site, place), pair, facts)
    }
}
