//! Takes a place apart into digits.

use std::collections::BTreeMap;

use duet_smt::{TermId, TermPool};

use super::poly::{Lifts, Poly};
use super::{MOST_PROPOSALS, Sought};
use crate::writer::Inverse;

/// Unknowns with their weights.
pub(super) type Group = Vec<(TermId, Poly)>;

/// Values of some unknowns.
pub(super) type Found = BTreeMap<TermId, Poly>;

/// Which rests are taken for smaller than their radices, as far as bounds do not say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Boldness {
    /// All of them.
    Bold,
    /// Those of symbols; by numbers the rest is divided.
    Numbers,
    /// None.
    Timid,
}

/// Solves `place = Σ weight · unknown`.
pub(super) struct Solver<'p> {
    pub(super) pool: &'p mut TermPool,
    pub(super) lifts: Lifts,
    /// What atoms are below.
    pub(super) bounds: BTreeMap<TermId, Poly>,
    /// The width of offsets.
    pub(super) width: u32,
    /// Which rests are taken for smaller than their radices.
    pub(super) boldness: Boldness,
    /// A guard fixes some of the unknowns, so that the place may have to meet a condition.
    pub(super) is_guarded: bool,
    /// A rest was left over, for such a condition to exclude.
    pub(super) is_loose: bool,
}

impl Solver<'_> {
    /// Values of the unknowns of a group that add up to the place.
    pub(super) fn solve(&mut self, place: Poly, group: Group) -> Vec<Found> {
        self.turned(place, group).unwrap_or_default()
    }

    /// Turns falling weights round: `-w·u = w·(b - 1 - u) - w·(b - 1)` for u below b. If all of
    /// them fall, as in `n - 1 - i` with `i = B·b + t`, place and weights change their sign
    /// instead, which keeps `n - 1 - place` in one piece.
    fn turned(&mut self, mut place: Poly, group: Group) -> Option<Vec<Found>> {
        if group.iter().all(|(_, weight)| is_falling(weight)) {
            let negative = Poly::constant(-1);
            let rising: Option<Group> = group
                .iter()
                .map(|(unknown, weight)| Some((*unknown, weight.mul(&negative)?)))
                .collect();
            return self.digits(&place.mul(&negative)?, &rising?);
        }
        let (mut rising, mut turned) = (vec![], vec![]);
        for (unknown, weight) in group {
            let top = self.bounds.get(&unknown).and_then(|below| below.sub(&Poly::constant(1)));
            match top.filter(|_| is_falling(&weight)) {
                Some(top) => {
                    place = place.sub(&weight.mul(&top)?)?;
                    rising.push((unknown, weight.mul(&Poly::constant(-1))?));
                    turned.push((unknown, top));
                }
                None => rising.push((unknown, weight)),
            }
        }
        let mut solutions = self.digits(&place, &rising)?;
        for (unknown, top) in turned {
            for found in &mut solutions {
                let value = found.get(&unknown).and_then(|value| top.sub(value))?;
                found.insert(unknown, value);
            }
        }
        Some(solutions)
    }

    fn digits(&mut self, place: &Poly, group: &[(TermId, Poly)]) -> Option<Vec<Found>> {
        match group {
            [] => Some(if place.is_zero() { vec![Found::new()] } else { vec![] }),
            [(unknown, weight)] => {
                let (value, rest) = place.divide(weight)?;
                if rest.is_zero() {
                    return Some(vec![Found::from([(*unknown, value)])]);
                }
                if self.is_bold() && self.is_guarded && !value.is_zero() {
                    self.is_loose = true;
                    return Some(vec![Found::from([(*unknown, value)])]);
                }
                if self.is_bold() {
                    return Some(vec![]);
                }
                let (value, _) = self.quotient(place, weight)?;
                Some(vec![Found::from([(*unknown, value)])])
            }
            _ => self.by_radix(place, group),
        }
    }

    /// Chooses a weight as radix: first those by which the place is divided without a new
    /// quotient, as it is by the extents of its own array, and among these the smallest.
    fn by_radix(&mut self, place: &Poly, group: &[(TermId, Poly)]) -> Option<Vec<Found>> {
        let mut radices: Vec<Poly> = group.iter().map(|(_, weight)| weight.clone()).collect();
        radices.sort_by_key(Poly::rank);
        radices.dedup();
        if radices.len() == 1 {
            return self.one_of(place, group);
        }
        radices.sort_by_cached_key(|radix| !self.is_divided_by(place, radix));
        let mut solutions = vec![];
        for radix in radices {
            let (mut high, mut low) = (vec![], vec![]);
            for (unknown, weight) in group {
                match weight.divide(&radix)? {
                    (quotient, rest) if rest.is_zero() => high.push((*unknown, quotient)),
                    _ => low.push((*unknown, weight.clone())),
                }
            }
            if low.is_empty() && radix.as_constant().is_some_and(|number| number.abs() == 1) {
                continue;
            }
            let (quotient, rest) = self.quotient(place, &radix)?;
            if low.is_empty() && !rest.is_zero() && self.is_bold() {
                continue;
            }
            let rest = if low.is_empty() { Poly::default() } else { rest };
            for above in self.digits(&quotient, &high).unwrap_or_default() {
                for below in self.digits(&rest, &low).unwrap_or_default() {
                    solutions.push(above.clone().into_iter().chain(below).collect());
                }
            }
            if solutions.len() >= MOST_PROPOSALS || low.is_empty() {
                break;
            }
        }
        solutions.truncate(MOST_PROPOSALS);
        Some(solutions)
    }

    /// Unknowns of one weight: each in turn has it all, and the others are zero.
    fn one_of(&mut self, place: &Poly, group: &[(TermId, Poly)]) -> Option<Vec<Found>> {
        let mut solutions = vec![];
        for (unknown, weight) in group {
            for mut found in self.digits(place, &[(*unknown, weight.clone())])? {
                for (other, _) in group.iter().filter(|(other, _)| other != unknown) {
                    found.insert(*other, Poly::default());
                }
                solutions.push(found);
            }
        }
        Some(solutions)
    }

    /// Quotient and remainder by a radix.
    fn quotient(&mut self, place: &Poly, radix: &Poly) -> Option<(Poly, Poly)> {
        let (quotient, rest) = place.divide(radix)?;
        let is_taken = self.is_bold() && !self.is_too_large(&rest, radix);
        if rest.is_zero() || is_taken || self.fits(&rest, radix) {
            return Some((quotient, rest));
        }
        // What both are multiples of is divided out first: bytes of an element, mostly.
        let by = rest.content(radix.content(0)).max(1);
        let (rest, radix) = (rest.divided(by), radix.divided(by));
        let dividend = rest.to_term(self.pool, &self.lifts, self.width);
        let divisor = radix.to_term(self.pool, &self.lifts, self.width);
        let more = self.pool.bits().udiv(dividend, divisor);
        let remainder = self.pool.bits().urem(dividend, divisor);
        self.bounds.insert(remainder, radix.clone());
        let most = self.most(&rest).and_then(|most| most.add(&Poly::constant(1)));
        if let Some((below, rest)) = most.and_then(|most| most.divide(&radix))
            && rest.is_zero()
        {
            self.bounds.insert(more, below);
        }
        let remainder = Poly::default().add_scaled(&Poly::atom(remainder), by)?;
        Some((quotient.add(&Poly::atom(more))?, remainder))
    }

    /// Are quotient and remainder there to be read?
    fn is_divided_by(&self, place: &Poly, radix: &Poly) -> bool {
        self.is_bold()
            || place
                .divide(radix)
                .is_some_and(|(_, rest)| rest.is_zero() || self.fits(&rest, radix))
    }

    /// Is the rest at least zero and below the radix, as far as bounds tell?
    fn fits(&self, rest: &Poly, radix: &Poly) -> bool {
        let room = |most: Poly| radix.sub(&most)?.sub(&Poly::constant(1));
        let below = self.most(rest).and_then(room).is_some_and(|room| self.is_natural(&room));
        below && self.least(rest).is_some_and(|least| self.is_natural(&least))
    }

    fn is_bold(&self) -> bool {
        self.boldness != Boldness::Timid
    }

    /// Do bounds that are numbers allow a rest beyond the radix, as for 32 rows of threads that
    /// are taken eight at a time? Or might it be beyond, as with any number of blocks of 16?
    fn is_too_large(&self, rest: &Poly, radix: &Poly) -> bool {
        let Some(radix) = radix.as_constant() else { return false };
        match self.most(rest).and_then(|most| most.as_constant()) {
            Some(most) => most >= radix,
            None => self.boldness == Boldness::Numbers,
        }
    }

    fn most(&self, poly: &Poly) -> Option<Poly> {
        self.extreme(poly, |number| number > 0)
    }

    fn least(&self, poly: &Poly) -> Option<Poly> {
        self.extreme(poly, |number| number < 0)
    }

    /// With digits at their greatest value in the summands chosen, and zero in the others.
    fn extreme(&self, poly: &Poly, is_chosen: impl Fn(i128) -> bool) -> Option<Poly> {
        let mut sum = Poly::default();
        for (monomial, number) in poly.terms() {
            let is_digit = monomial.iter().any(|atom| self.bounds.contains_key(atom));
            if is_digit && !is_chosen(number) {
                continue;
            }
            let mut product = Poly::constant(number);
            for atom in monomial {
                let most = self.bounds.get(atom).map(|below| below.sub(&Poly::constant(1)));
                product = product.mul(&most.unwrap_or(Some(Poly::atom(*atom)))?)?;
            }
            sum = sum.add(&product)?;
        }
        Some(sum)
    }

    /// Is it at least zero if its atoms are at least one, as sizes are?
    fn is_natural(&self, poly: &Poly) -> bool {
        let mut poly = poly.clone();
        for atom in poly.atoms() {
            let more = Poly::atom(atom).add(&Poly::constant(1));
            let Some(raised) = more.and_then(|more| poly.substitute(atom, &more)) else {
                return false;
            };
            poly = raised;
        }
        poly.terms().all(|(_, number)| number >= 0)
    }

    /// Values of all unknowns as terms of their widths.
    pub(super) fn finish(
        &mut self,
        sought: &Sought<'_>,
        hidden: &[TermId],
        mut found: Found,
    ) -> Option<Inverse> {
        for &(symbol, value) in sought.fixed {
            let value = Poly::read(self.pool, value, &mut self.lifts)?;
            found.insert(symbol, value);
        }
        let symbols: Vec<TermId> = sought.unknowns.iter().map(|digit| digit.symbol).collect();
        self.undo(hidden, &symbols, &mut found)?;
        let values = symbols.into_iter().map(|symbol| {
            let value = found.remove(&symbol).unwrap_or_default();
            let term = value.to_term(self.pool, &self.lifts, self.width);
            let width = self.pool.width(symbol);
            (symbol, self.pool.bits().zext_or_trunc(term, width))
        });
        Some(Inverse { values: values.collect() })
    }
}

/// Is the summand of highest degree negative?
fn is_falling(weight: &Poly) -> bool {
    let lead = weight.terms().max_by_key(|(monomial, _)| (monomial.len(), (*monomial).clone()));
    lead.is_some_and(|(_, number)| number < 0)
}
