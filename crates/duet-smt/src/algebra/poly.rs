//! Polynomials with integer coefficients over opaque atoms.
//!
//! Every operation that could leave 128 bits, or grow without bound, returns
//! `None`; the caller then knows less, never something wrong.

use cranelift_entity::entity_impl;
use std::fmt;

/// An integer-valued unknown; what it stands for is in the atom table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Atom(u32);
entity_impl!(Atom, "a");

/// Higher degrees are given up.
const MAX_DEGREE: usize = 8;
/// More terms than this are given up.
const MAX_TERMS: usize = 60;

/// A product of atoms, sorted, with repetition; empty is 1. Kept inline: proofs
/// handle thousands of them.
#[derive(Clone, Copy)]
pub struct Monomial {
    len: u8,
    atoms: [Atom; MAX_DEGREE],
}

impl Monomial {
    /// The empty product.
    pub fn one() -> Self {
        Monomial { len: 0, atoms: [Atom(0); MAX_DEGREE] }
    }

    /// A single atom.
    pub fn of(a: Atom) -> Self {
        Monomial::one().with(a).expect("one atom fits")
    }

    /// Of sorted atoms; `None` if there are too many.
    pub fn from_sorted(atoms: impl IntoIterator<Item = Atom>) -> Option<Self> {
        atoms.into_iter().try_fold(Monomial::one(), Monomial::with)
    }

    /// With one more atom, which sorts last.
    fn with(mut self, a: Atom) -> Option<Self> {
        *self.atoms.get_mut(usize::from(self.len))? = a;
        self.len += 1;
        Some(self)
    }

    /// Product.
    fn times(&self, other: &Monomial) -> Option<Self> {
        let (mut m, mut n) = (self.iter().peekable(), other.iter().peekable());
        let merged = std::iter::from_fn(move || match (m.peek(), n.peek()) {
            (Some(a), Some(b)) if a <= b => m.next(),
            (_, Some(_)) => n.next(),
            _ => m.next(),
        });
        Monomial::from_sorted(merged.copied())
    }

    /// `self / other`, if `other` divides it.
    pub fn divide(&self, other: &[Atom]) -> Option<Monomial> {
        let mut left = other.iter().peekable();
        let mut rest = Monomial::one();
        for &a in self.iter() {
            if left.peek() == Some(&&a) {
                left.next();
            } else {
                rest = rest.with(a)?;
            }
        }
        left.next().is_none().then_some(rest)
    }
}

impl std::ops::Deref for Monomial {
    type Target = [Atom];

    fn deref(&self) -> &[Atom] {
        &self.atoms[..usize::from(self.len)]
    }
}

impl PartialEq for Monomial {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Monomial {}

impl PartialOrd for Monomial {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Monomial {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (**self).cmp(&**other)
    }
}

impl std::hash::Hash for Monomial {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl fmt::Debug for Monomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

/// `Σ coefficient · monomial`: sorted by monomial, none twice, no coefficient
/// zero.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Poly(Vec<(Monomial, i128)>);

impl Poly {
    /// The number zero.
    pub fn zero() -> Self {
        Poly::default()
    }

    /// A number.
    pub fn constant(c: i128) -> Self {
        if c == 0 { Poly::zero() } else { Poly(vec![(Monomial::one(), c)]) }
    }

    /// An atom.
    pub fn atom(a: Atom) -> Self {
        Poly::monomial(Monomial::of(a))
    }

    /// A product of atoms.
    pub fn monomial(m: Monomial) -> Self {
        Poly(vec![(m, 1)])
    }

    /// The terms, in a fixed order, the constant first.
    pub fn terms(&self) -> impl DoubleEndedIterator<Item = (&Monomial, i128)> {
        self.0.iter().map(|(m, c)| (m, *c))
    }

    /// The terms without the constant.
    pub fn proper_terms(&self) -> impl DoubleEndedIterator<Item = (&Monomial, i128)> {
        self.terms().filter(|(m, _)| !m.is_empty())
    }

    /// How many terms there are.
    pub fn size(&self) -> usize {
        self.0.len()
    }

    /// Whether this is the number zero.
    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// The number, if there is no atom.
    pub fn as_constant(&self) -> Option<i128> {
        match self.0[..] {
            [] => Some(0),
            [(m, c)] if m.is_empty() => Some(c),
            _ => None,
        }
    }

    /// The constant term.
    pub fn constant_term(&self) -> i128 {
        match self.0.first() {
            Some((m, c)) if m.is_empty() => *c,
            _ => 0,
        }
    }

    /// The coefficient of one monomial.
    pub fn coefficient(&self, m: &[Atom]) -> i128 {
        let at = self.0.binary_search_by(|(n, _)| (**n).cmp(m));
        at.map_or(0, |i| self.0[i].1)
    }

    /// All atoms, sorted, each once.
    pub fn atoms(&self) -> Vec<Atom> {
        let mut atoms: Vec<Atom> = self.0.iter().flat_map(|(m, _)| m.iter()).copied().collect();
        atoms.sort_unstable();
        atoms.dedup();
        atoms
    }

    /// Whether an atom occurs.
    pub fn mentions(&self, a: Atom) -> bool {
        self.0.iter().any(|(m, _)| m.contains(&a))
    }

    /// Sum.
    pub fn add(&self, other: &Poly) -> Option<Poly> {
        self.add_scaled(other, 1)
    }

    /// Difference.
    pub fn sub(&self, other: &Poly) -> Option<Poly> {
        self.add_scaled(other, -1)
    }

    /// `self + c · other`: a merge of two sorted lists.
    pub fn add_scaled(&self, other: &Poly, c: i128) -> Option<Poly> {
        if c == 0 {
            return Some(self.clone());
        }
        let mut sum = Vec::with_capacity(self.0.len() + other.0.len());
        let (mut i, mut j) = (0, 0);
        while i < self.0.len() || j < other.0.len() {
            let order = match (self.0.get(i), other.0.get(j)) {
                (Some((m, _)), Some((n, _))) => m.cmp(n),
                (Some(_), None) => std::cmp::Ordering::Less,
                _ => std::cmp::Ordering::Greater,
            };
            let (m, k) = match order {
                std::cmp::Ordering::Less => self.0[i],
                std::cmp::Ordering::Greater => (other.0[j].0, other.0[j].1.checked_mul(c)?),
                std::cmp::Ordering::Equal => {
                    let scaled = other.0[j].1.checked_mul(c)?;
                    (self.0[i].0, self.0[i].1.checked_add(scaled)?)
                }
            };
            i += usize::from(order.is_le());
            j += usize::from(order.is_ge());
            if k != 0 {
                sum.push((m, k));
            }
        }
        (sum.len() <= MAX_TERMS).then_some(Poly(sum))
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
        if self.0.len() * other.0.len() > 4 * MAX_TERMS {
            return None;
        }
        let mut terms = Vec::with_capacity(self.0.len() * other.0.len());
        for (m, c) in &self.0 {
            for (n, d) in &other.0 {
                terms.push((m.times(n)?, c.checked_mul(*d)?));
            }
        }
        Poly::collect(terms)
    }

    /// Sorts terms and adds up equal ones.
    fn collect(mut terms: Vec<(Monomial, i128)>) -> Option<Poly> {
        terms.sort_unstable_by_key(|term| term.0);
        let mut sum: Vec<(Monomial, i128)> = Vec::with_capacity(terms.len());
        for (m, c) in terms {
            match sum.last_mut() {
                Some((n, d)) if *n == m => *d = d.checked_add(c)?,
                _ => sum.push((m, c)),
            }
        }
        sum.retain(|(_, c)| *c != 0);
        (sum.len() <= MAX_TERMS).then_some(Poly(sum))
    }

    /// With an atom replaced by a polynomial.
    pub fn substitute(&self, a: Atom, by: &Poly) -> Option<Poly> {
        if !self.mentions(a) {
            return Some(self.clone());
        }
        let mut result = Poly::zero();
        for (m, c) in &self.0 {
            let rest = Monomial::from_sorted(m.iter().copied().filter(|&x| x != a))?;
            let mut term = Poly(vec![(rest, *c)]);
            for _ in 0..m.len() - rest.len() {
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
        let exact = |c: i128| (g != 0 && c.checked_rem(g)? == 0).then(|| c.checked_div(g))?;
        let terms = self.0.iter().map(|(m, c)| Some((*m, exact(*c)?)));
        terms.collect::<Option<_>>().map(Poly)
    }

    /// `(factor, rest)` with `self = factor·m + rest`, no term of `rest` being
    /// divisible by `m`.
    pub fn split_by(&self, m: &[Atom]) -> (Poly, Poly) {
        let (mut factor, mut rest) = (Vec::new(), Vec::new());
        for (n, c) in &self.0 {
            match n.divide(m) {
                Some(q) => factor.push((q, *c)),
                None => rest.push((*n, *c)),
            }
        }
        // Dividing by one monomial keeps terms apart, but maybe not in order.
        factor.sort_unstable_by_key(|term: &(Monomial, i128)| term.0);
        (Poly(factor), Poly(rest))
    }

    /// The term of highest degree (then highest atoms).
    pub fn leading(&self) -> Option<(&Monomial, i128)> {
        self.terms().max_by_key(|(m, _)| (m.len(), **m))
    }
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
