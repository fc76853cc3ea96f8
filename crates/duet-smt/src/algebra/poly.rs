//! Polynomials with integer coefficients over opaque atoms.
//!
//! Every operation that could leave 128 bits, or grow without bound, returns
//! `None`; the caller then knows less, never something wrong.

use cranelift_entity::entity_impl;
use std::collections::BTreeMap;
use std::fmt;

/// An integer-valued unknown; what it stands for is in the atom table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Atom(u32);
entity_impl!(Atom, "a");

/// A product of atoms, sorted, with repetition; empty is 1.
pub type Monomial = Vec<Atom>;

/// More terms than this are given up.
const MAX_TERMS: usize = 60;
/// Higher degrees are given up.
const MAX_DEGREE: usize = 8;

/// `Σ coefficient · monomial`; no coefficient is zero.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Poly(BTreeMap<Monomial, i128>);

impl Poly {
    /// The number zero.
    pub fn zero() -> Self {
        Poly::default()
    }

    /// A number.
    pub fn constant(c: i128) -> Self {
        let mut p = Poly::zero();
        if c != 0 {
            p.0.insert(Monomial::new(), c);
        }
        p
    }

    /// An atom.
    pub fn atom(a: Atom) -> Self {
        Poly::monomial(vec![a])
    }

    /// A product of atoms, given sorted.
    pub fn monomial(m: Monomial) -> Self {
        Poly(BTreeMap::from([(m, 1)]))
    }

    /// The terms, in a fixed order, the constant first.
    pub fn terms(&self) -> impl DoubleEndedIterator<Item = (&Monomial, i128)> {
        self.0.iter().map(|(m, &c)| (m, c))
    }

    /// The terms without the constant.
    pub fn proper_terms(&self) -> impl DoubleEndedIterator<Item = (&Monomial, i128)> {
        self.terms().filter(|(m, _)| !m.is_empty())
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether this is the number zero.
    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// The number, if there is no atom.
    pub fn as_constant(&self) -> Option<i128> {
        let proper = self.proper_terms().next().is_some();
        (!proper).then(|| self.constant_term())
    }

    /// The constant term.
    pub fn constant_term(&self) -> i128 {
        self.coefficient(&[])
    }

    /// The coefficient of one monomial.
    pub fn coefficient(&self, m: &[Atom]) -> i128 {
        self.0.get(m).copied().unwrap_or(0)
    }

    /// All atoms, sorted, each once.
    pub fn atoms(&self) -> Vec<Atom> {
        let mut atoms: Vec<Atom> = self.0.keys().flatten().copied().collect();
        atoms.sort_unstable();
        atoms.dedup();
        atoms
    }

    /// Whether an atom occurs.
    pub fn mentions(&self, a: Atom) -> bool {
        self.0.keys().any(|m| m.contains(&a))
    }

    fn add_term(&mut self, m: Monomial, c: i128) -> Option<()> {
        let sum = self.0.get(&m).copied().unwrap_or(0).checked_add(c)?;
        if sum == 0 {
            self.0.remove(&m);
        } else {
            self.0.insert(m, sum);
        }
        (self.0.len() <= MAX_TERMS).then_some(())
    }

    /// Sum.
    pub fn add(&self, other: &Poly) -> Option<Poly> {
        self.add_scaled(other, 1)
    }

    /// Difference.
    pub fn sub(&self, other: &Poly) -> Option<Poly> {
        self.add_scaled(other, -1)
    }

    /// `self + c · other`.
    pub fn add_scaled(&self, other: &Poly, c: i128) -> Option<Poly> {
        let mut sum = self.clone();
        for (m, k) in other.terms() {
            sum.add_term(m.clone(), k.checked_mul(c)?)?;
        }
        Some(sum)
    }

    /// `self + c`.
    pub fn plus(&self, c: i128) -> Option<Poly> {
        self.add(&Poly::constant(c))
    }

    /// `c · self`.
    pub fn scale(&self, c: i128) -> Option<Poly> {
        Poly::zero().add_scaled(self, c)
    }

    /// `−self`.
    pub fn negate(&self) -> Option<Poly> {
        self.scale(-1)
    }

    /// Product.
    pub fn mul(&self, other: &Poly) -> Option<Poly> {
        let mut product = Poly::zero();
        for (m, c) in self.terms() {
            for (n, d) in other.terms() {
                product.add_term(multiply(m, n)?, c.checked_mul(d)?)?;
            }
        }
        Some(product)
    }

    /// With an atom replaced by a polynomial.
    pub fn substitute(&self, a: Atom, by: &Poly) -> Option<Poly> {
        if !self.mentions(a) {
            return Some(self.clone());
        }
        let mut result = Poly::zero();
        for (m, c) in self.terms() {
            let rest: Monomial = m.iter().copied().filter(|&x| x != a).collect();
            let power = m.len() - rest.len();
            let mut term = Poly(BTreeMap::from([(rest, c)]));
            for _ in 0..power {
                term = term.mul(by)?;
            }
            result = result.add(&term)?;
        }
        Some(result)
    }

    /// The greatest common divisor of all coefficients but the constant; 0 if
    /// there is none.
    pub fn content(&self) -> i128 {
        self.proper_terms().fold(0, |g, (_, c)| gcd(g, c))
    }

    /// All coefficients divided by `g`, which must divide them.
    pub fn divide(&self, g: i128) -> Option<Poly> {
        let exact = |c: i128| (c % g == 0).then(|| c.checked_div(g))?;
        let terms = self.0.iter().map(|(m, &c)| Some((m.clone(), exact(c)?)));
        terms.collect::<Option<_>>().map(Poly)
    }

    /// `(factor, rest)` with `self = factor·m + rest`, no term of `rest` being
    /// divisible by `m`.
    pub fn split_by(&self, m: &[Atom]) -> (Poly, Poly) {
        let (mut factor, mut rest) = (Poly::zero(), Poly::zero());
        for (n, c) in self.terms() {
            match divide_monomial(n, m) {
                Some(q) => factor.0.insert(q, c),
                None => rest.0.insert(n.clone(), c),
            };
        }
        (factor, rest)
    }

    /// The term of highest degree (then highest atoms).
    pub fn leading(&self) -> Option<(&Monomial, i128)> {
        self.terms().max_by_key(|(m, _)| (m.len(), (*m).clone()))
    }
}

/// The product of two sorted monomials.
fn multiply(m: &[Atom], n: &[Atom]) -> Option<Monomial> {
    let mut all: Monomial = [m, n].concat();
    all.sort_unstable();
    (all.len() <= MAX_DEGREE).then_some(all)
}

/// `n / m`, if `m` divides `n`.
pub fn divide_monomial(n: &[Atom], m: &[Atom]) -> Option<Monomial> {
    let mut rest = n.to_vec();
    for a in m {
        let at = rest.iter().position(|x| x == a)?;
        rest.remove(at);
    }
    Some(rest)
}

/// The non-negative greatest common divisor; 1 where it would not fit.
pub fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i128::try_from(a).unwrap_or(1)
}

impl Poly {
    /// Writes the polynomial with names for its atoms.
    pub fn write(&self, out: &mut impl fmt::Write, name: &dyn Fn(Atom) -> String) -> fmt::Result {
        if self.is_zero() {
            return write!(out, "0");
        }
        for (i, (m, c)) in self.terms().rev().enumerate() {
            let sign = match (i, c < 0) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            };
            let factors: Vec<String> = m.iter().map(|&a| name(a)).collect();
            let size = c.unsigned_abs();
            match (size, factors.is_empty()) {
                (_, true) => write!(out, "{sign}{size}")?,
                (1, false) => write!(out, "{sign}{}", factors.join("*"))?,
                (_, false) => write!(out, "{sign}{size}*{}", factors.join("*"))?,
            }
        }
        Ok(())
    }
}
