//! Where two accesses of two threads touch the same bytes, and whether what they write
//! there differs.

use std::collections::HashSet;

use duet_smt::{Sort, TermId};

use super::Walker;
use crate::SiteTerm;

/// Pairs of parts that are compared, at most: more are not tolerated.
const MAX_PAIRS: usize = 256;
/// Terms of a value that is compared with another, at most. What is deeper is a hash or
/// the like: no solver shows that two of them are equal where their inputs may differ,
/// and the question would be about nothing else any more.
const MAX_TERMS: usize = 500;

impl Walker<'_> {
    /// Accesses of one granule each: they overlap only if they are equal.
    pub fn is_aligned_pair(&self, a: &SiteTerm, b: &SiteTerm) -> bool {
        let granule = self.facts.module.arrays[a.array].granule;
        a.array == b.array && a.bytes == granule && b.bytes == granule
    }

    /// Where the access is, to be compared with another: in its array, or, if the
    /// two are in arrays that may overlap, in memory, where each array starts at an
    /// unknown place.
    pub fn address(&mut self, site: &SiteTerm, other: &SiteTerm) -> TermId {
        if site.array == other.array {
            return site.offset;
        }
        let width = self.pool.width(site.offset);
        let name = &self.facts.module.arrays[site.array].name;
        let base = self.pool.bv_var(&format!("base:{name}:{}", site.array), width);
        self.pool.bits().add(base, site.offset)
    }

    /// Do the two byte ranges have a byte in common, modulo the pointer's width?
    pub fn overlap(&mut self, a: &SiteTerm, b: &SiteTerm) -> TermId {
        if self.is_aligned_pair(a, b) {
            return self.pool.eq(a.offset, b.offset);
        }
        let width = self.pool.width(a.offset);
        let (one, other) = (self.address(a, b), self.address(b, a));
        let within = |this: &mut Self, from: TermId, bytes: u32, to: TermId| {
            let distance = this.pool.bits().sub(to, from);
            let size = this.pool.bv(width, u128::from(bytes));
            this.pool.compare().ult(distance, size)
        };
        let (x, y) = (within(self, one, a.bytes, other), within(self, other, b.bytes, one));
        self.pool.or2(x, y)
    }

    /// That two writes disagree on a byte that both write, if they are no race otherwise.
    pub fn differ(&mut self, a: &SiteTerm, b: &SiteTerm) -> Option<TermId> {
        let plain_writes = a.writes && b.writes && a.atomic.is_none() && b.atomic.is_none();
        if !plain_writes {
            return None;
        }
        if a.values != b.values && (self.is_deep(&a.values) || self.is_deep(&b.values)) {
            return None;
        }
        let (one, other) = (self.element_bytes(a)?, self.element_bytes(b)?);
        if self.is_aligned_pair(a, b) && (a.values.len(), b.values.len()) == (1, 1) && one == other
        {
            return Some(self.pool.ne(a.values[0], b.values[0]));
        }
        // Elements of one size, at multiples of it, overlap only if they are equal.
        let granule = self.facts.module.arrays[a.array].granule;
        let whole = a.array == b.array && one == other && granule.is_multiple_of(one);
        let unit = if whole { one } else { 1 };
        let (parts, others) = (self.parts(a, one, unit), self.parts(b, other, unit));
        (parts.len() * others.len() <= MAX_PAIRS).then(|| {
            let starts = [self.address(a, b), self.address(b, a)];
            self.any_differs(starts, &parts, &others, unit)
        })
    }

    /// Are there too many terms below these values for a question about them? Looks at no
    /// more terms than that.
    fn is_deep(&self, values: &[TermId]) -> bool {
        let mut seen: HashSet<TermId> = values.iter().copied().collect();
        let mut open = values.to_vec();
        while let Some(term) = open.pop() {
            if seen.len() > MAX_TERMS {
                return true;
            }
            open.extend(self.pool.args(term).iter().filter(|&&below| seen.insert(below)));
        }
        false
    }

    /// Bytes of an element that is written, if all of what is written is known.
    fn element_bytes(&self, site: &SiteTerm) -> Option<u32> {
        let bytes = site.bytes.checked_div(site.values.len() as u32)?;
        let is_whole = |&value: &TermId| self.pool.sort(value) == Sort::BitVec(bytes * 8);
        (bytes > 0 && site.values.iter().all(is_whole)).then_some(bytes)
    }

    /// What is written, in pieces of `unit` bytes, the lowest first.
    fn parts(&mut self, site: &SiteTerm, element: u32, unit: u32) -> Vec<TermId> {
        let mut parts = vec![];
        for &value in &site.values {
            for low in (0..element * 8).step_by(unit as usize * 8) {
                parts.push(self.pool.bits().extract(low + unit * 8 - 1, low, value));
            }
        }
        parts
    }

    /// Two parts at the same address differ.
    fn any_differs(
        &mut self,
        starts: [TermId; 2],
        parts: &[TermId],
        others: &[TermId],
        unit: u32,
    ) -> TermId {
        let width = self.pool.width(starts[0]);
        let place = |this: &mut Self, start: TermId, number: usize| {
            let distance = this.pool.bv(width, u128::from(unit) * number as u128);
            this.pool.bits().add(start, distance)
        };
        let mut differing = vec![];
        for (i, &part) in parts.iter().enumerate() {
            for (j, &other) in others.iter().enumerate() {
                let (here, there) = (place(self, starts[0], i), place(self, starts[1], j));
                let (meet, differ) = (self.pool.eq(here, there), self.pool.ne(part, other));
                differing.push(self.pool.and2(meet, differ));
            }
        }
        self.pool.or(&differing)
    }
}
