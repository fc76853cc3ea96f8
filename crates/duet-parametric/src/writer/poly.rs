//! Polynomials over terms, for guessing: machine arithmetic is read as that of integers.
//!
//! Extensions and truncations are looked through, so a polynomial need not equal the term
//! that it was read from. Nothing may be concluded from one; see [`super`].

use std::collections::BTreeMap;

use duet_smt::{Op, TermId, TermPool, to_signed};

/// More summands than this are given up.
const MOST_TERMS: usize = 200;

/// A product of atoms, sorted, with repetition; empty is 1.
pub type Monomial = Vec<TermId>;

/// `Σ coefficient · monomial`; no coefficient is zero.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Poly(BTreeMap<Monomial, i128>);

/// How an atom that is narrower than the offset was widened where it was first seen.
#[derive(Clone, Debug, Default)]
pub struct Lifts(BTreeMap<TermId, bool>);

impl Lifts {
    fn note(&mut self, atom: TermId, is_signed: bool) {
        self.0.entry(atom).or_insert(is_signed);
    }

    /// The atom at a width.
    pub fn at_width(&self, pool: &mut TermPool, atom: TermId, width: u32) -> TermId {
        match self.0.get(&atom) {
            Some(true) => pool.bits().sext_or_trunc(atom, width),
            Some(false) | None => pool.bits().zext_or_trunc(atom, width),
        }
    }
}

impl Poly {
    /// A number.
    pub fn constant(number: i128) -> Poly {
        let mut poly = Poly::default();
        poly.add_term(vec![], number);
        poly
    }

    /// An atom.
    pub fn atom(atom: TermId) -> Poly {
        let mut poly = Poly::default();
        poly.add_term(vec![atom], 1);
        poly
    }

    /// What a bit-vector term says if nothing wraps.
    pub fn read(pool: &TermPool, term: TermId, lifts: &mut Lifts) -> Option<Poly> {
        read(pool, term, false, lifts)
    }

    /// Is it zero?
    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// The number, if it is one.
    pub fn as_constant(&self) -> Option<i128> {
        match self.0.len() {
            0 => Some(0),
            1 => self.0.get(&vec![]).copied(),
            _ => None,
        }
    }

    /// Summands, in a fixed order.
    pub fn terms(&self) -> impl Iterator<Item = (&Monomial, i128)> {
        self.0.iter().map(|(monomial, &number)| (monomial, number))
    }

    /// The atoms, each once.
    pub fn atoms(&self) -> Vec<TermId> {
        let mut atoms: Vec<TermId> = self.0.keys().flatten().copied().collect();
        atoms.sort_unstable();
        atoms.dedup();
        atoms
    }

    /// The highest degree, with the number of summands and the greatest number: by this
    /// coefficients are put in order.
    pub fn rank(&self) -> (usize, usize, i128) {
        let degree = self.0.keys().map(Vec::len).max().unwrap_or(0);
        let greatest = self.0.values().map(|number| number.abs()).max().unwrap_or(0);
        (degree, self.0.len(), greatest)
    }

    /// The greatest number that divides all summands, and a number.
    pub fn content(&self, of: i128) -> i128 {
        self.terms().fold(of, |all, (_, number)| greatest_divisor(all, number))
    }

    /// Divided by a number that divides all summands.
    pub fn divided(&self, by: i128) -> Poly {
        Poly(self.terms().map(|(monomial, number)| (monomial.clone(), number / by)).collect())
    }

    fn add_term(&mut self, monomial: Monomial, number: i128) {
        let sum = self.0.get(&monomial).copied().unwrap_or(0).wrapping_add(number);
        match sum {
            0 => self.0.remove(&monomial),
            _ => self.0.insert(monomial, sum),
        };
    }

    /// Sum with a multiple of another.
    pub fn add_scaled(&self, other: &Poly, factor: i128) -> Option<Poly> {
        let mut sum = self.clone();
        for (monomial, number) in other.terms() {
            sum.add_term(monomial.clone(), number.checked_mul(factor)?);
        }
        (sum.0.len() <= MOST_TERMS).then_some(sum)
    }

    /// Sum.
    pub fn add(&self, other: &Poly) -> Option<Poly> {
        self.add_scaled(other, 1)
    }

    /// Difference.
    pub fn sub(&self, other: &Poly) -> Option<Poly> {
        self.add_scaled(other, -1)
    }

    /// Product.
    pub fn mul(&self, other: &Poly) -> Option<Poly> {
        let mut product = Poly::default();
        for (a, x) in self.terms() {
            for (b, y) in other.terms() {
                let mut monomial = [a.as_slice(), b].concat();
                monomial.sort_unstable();
                product.add_term(monomial, x.checked_mul(y)?);
            }
            (product.0.len() <= MOST_TERMS).then_some(())?;
        }
        Some(product)
    }

    /// `self = quotient · by + rest`: what division by the summand of highest degree
    /// yields. The rest may have any size.
    pub fn divide(&self, by: &Poly) -> Option<(Poly, Poly)> {
        let lead = by.terms().max_by_key(|(monomial, _)| (monomial.len(), (*monomial).clone()))?;
        let (lead, number) = (lead.0.clone(), lead.1);
        let (mut quotient, mut rest, mut left) = (Poly::default(), Poly::default(), self.clone());
        for _ in 0..MOST_TERMS {
            let next = left.terms().max_by_key(|(monomial, _)| (monomial.len(), *monomial));
            let Some((monomial, of)) = next.map(|(m, n)| (m.clone(), n)) else {
                return Some((quotient, rest));
            };
            match without(&monomial, &lead).filter(|_| of % number == 0) {
                Some(left_over) => {
                    let mut part = Poly::default();
                    part.add_term(left_over, of / number);
                    quotient = quotient.add(&part)?;
                    left = left.sub(&part.mul(by)?)?;
                }
                None => {
                    rest.add_term(monomial.clone(), of);
                    left.add_term(monomial, -of);
                }
            }
        }
        None
    }

    /// Splits `Σ c·u + rest` by the unknowns; `None` where two of them are multiplied.
    pub fn split(&self, unknowns: &[TermId]) -> Option<(Vec<Poly>, Poly)> {
        let mut coefficients = vec![Poly::default(); unknowns.len()];
        let mut rest = Poly::default();
        for (monomial, number) in self.terms() {
            let found = |atom: &&TermId| unknowns.contains(atom);
            match monomial.iter().filter(found).count() {
                0 => rest.add_term(monomial.clone(), number),
                1 => {
                    let at = monomial.iter().position(|atom| unknowns.contains(atom))?;
                    let which = unknowns.iter().position(|unknown| *unknown == monomial[at])?;
                    let mut others = monomial.clone();
                    others.remove(at);
                    coefficients[which].add_term(others, number);
                }
                _ => return None,
            }
        }
        Some((coefficients, rest))
    }

    /// With an atom replaced.
    pub fn substitute(&self, atom: TermId, value: &Poly) -> Option<Poly> {
        let mut result = Poly::default();
        for (monomial, number) in self.terms() {
            let mut product = Poly::constant(number);
            for &factor in monomial {
                let by = if factor == atom { value.clone() } else { Poly::atom(factor) };
                product = product.mul(&by)?;
            }
            result = result.add(&product)?;
        }
        Some(result)
    }

    /// As a term of a width.
    pub fn to_term(&self, pool: &mut TermPool, lifts: &Lifts, width: u32) -> TermId {
        let mut sum = vec![pool.bv(width, 0)];
        for (monomial, number) in self.terms() {
            let mut product = vec![pool.bv(width, number as u128)];
            product.extend(monomial.iter().map(|&atom| lifts.at_width(pool, atom, width)));
            sum.push(pool.bits().product(&product));
        }
        pool.bits().sum(&sum)
    }
}

/// Of the absolute values; zero divides nothing but zero.
fn greatest_divisor(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.wrapping_abs(), b.wrapping_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The monomial without the factors of another, if it has them all.
fn without(monomial: &Monomial, factors: &Monomial) -> Option<Monomial> {
    let mut left = monomial.clone();
    for factor in factors {
        left.remove(left.iter().position(|atom| atom == factor)?);
    }
    Some(left)
}

fn read(pool: &TermPool, term: TermId, is_signed: bool, lifts: &mut Lifts) -> Option<Poly> {
    let args = pool.args(term);
    let mut below = |arg: TermId| read(pool, arg, is_signed, lifts);
    match pool.op(term) {
        Op::BvConst { width, bits } => Some(Poly::constant(to_signed(bits, width))),
        Op::BvAdd => args.iter().try_fold(Poly::default(), |sum, &arg| sum.add(&below(arg)?)),
        Op::BvMul => args.iter().try_fold(Poly::constant(1), |all, &arg| all.mul(&below(arg)?)),
        Op::ZeroExtend(_) => read(pool, args[0], false, lifts),
        Op::SignExtend(_) => read(pool, args[0], true, lifts),
        Op::Extract { lo: 0, .. } if !is_low_part(pool, term) => below(args[0]),
        _ => {
            lifts.note(term, is_signed);
            Some(Poly::atom(term))
        }
    }
}

/// Is it a remainder by a small power of two rather than a truncation?
fn is_low_part(pool: &TermPool, term: TermId) -> bool {
    matches!(pool.op(term), Op::Extract { hi, lo: 0 } if hi + 1 < 16)
}
