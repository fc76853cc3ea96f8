//! Equality of polynomials by what hypotheses say, without a solver.
//!
//! An index of the code and one of the contract are the same polynomial once the digits of the
//! thread are put in and arithmetic of 32 bits is read as one of 64. Solvers take minutes over
//! that where several symbols are multiplied. Here
//!
//! * hypotheses that are equations become rules `atom → polynomial`, one after the other, each
//!   in terms of those before it (elimination, where an atom has the coefficient 1 or -1);
//! * a sum or product `W` of 64 bits that hypotheses bound by the ends of 32 bits is one more
//!   equation: `sign_extend(t) = W`, `t` being the same in 32 bits;
//! * a choice `A or B` among the hypotheses is B if another says not A;
//! * two terms are equal if their difference is the polynomial zero, modulo 2^w.
//!
//! SOUNDNESS: each rule replaces equals by equals modulo 2^w in every state that meets the
//! hypotheses. Truncation commutes with sums and products, so `t` is W modulo 2^32, and with W
//! in range of signed 32-bit numbers its sign extension is W itself (tests
//! `what_may_wrap_is_not_widened`, `a_guarded_equation_is_no_rule`; kernels/prove/traps).

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use duet_smt::{Op, Sort, TermId, TermPool};

/// Monomials of a polynomial; beyond that it is left alone.
const MONOMIALS: usize = 64;
/// Steps in making one polynomial.
const FUEL: u32 = 2_000;
/// How often bounds of symbols are followed.
const ROUNDS: usize = 4;
/// The most that a number of 32 bits with a sign may be.
const MOST: u128 = i32::MAX as u128;

/// A sum of products of atoms, modulo 2^w.
type Poly = BTreeMap<Vec<TermId>, u128>;

/// What hypotheses say of polynomials.
#[derive(Default)]
pub struct Equations {
    rules: BTreeMap<TermId, Poly>,
    /// Symbols of 32 bits that are at most so large.
    most: BTreeMap<TermId, u128>,
}

/// Does a goal hold wherever the hypotheses do: an equation, or bounds that they state of the same
/// polynomial?
pub fn follows(pool: &mut TermPool, hypotheses: &[TermId], goal: TermId) -> bool {
    let args = pool.args(goal).to_vec();
    match (pool.op(goal), &args[..]) {
        (Op::And, parts) => parts.iter().all(|&part| follows(pool, hypotheses, part)),
        (Op::Eq, &[a, b]) => same_by_equations(pool, hypotheses, a, b),
        (Op::Sle, &[a, b]) => is_bounded(pool, hypotheses, (a, b)),
        _ => false,
    }
}

/// A guess at what a quotient is below: if the dividend is below a multiple of the divisor, the
/// other factor.
pub fn limit_of_quotient(
    pool: &mut TermPool,
    hypotheses: &[TermId],
    dividend: TermId,
    divisor: TermId,
) -> Option<TermId> {
    let width = pool.width(dividend);
    if width != 64 {
        return None;
    }
    let equations = Equations::new(pool, hypotheses);
    let divisor = equations.poly(pool, divisor, &mut FUEL.clone())?;
    let by = match divisor.iter().next() {
        Some((monomial, 1)) if divisor.len() == 1 && !monomial.is_empty() => monomial.clone(),
        _ => return None,
    };
    for fact in settled(pool, hypotheses) {
        let Some((a, b, true, signed)) = comparison(pool, fact) else { continue };
        let sides = [a, b].map(|side| match (pool.width(side), signed) {
            (32, true) => pool.bits().sign_extend(32, side),
            (32, false) => pool.bits().zero_extend(32, side),
            _ => side,
        });
        if pool.sort(sides[0]) != Sort::BitVec(64) {
            continue;
        }
        let same = equations.difference(pool, sides[0], dividend);
        if same.is_some_and(|poly| poly.is_empty())
            && let Some(limit) = equations.poly(pool, sides[1], &mut FUEL.clone())
            && let Some(limit) = quotient(&limit, &by)
        {
            return Some(term_of(pool, &limit));
        }
    }
    None
}

/// A polynomial divided by a product of atoms that all its monomials have.
fn quotient(poly: &Poly, by: &[TermId]) -> Option<Poly> {
    let mut all = Poly::new();
    for (monomial, &times) in poly {
        let mut rest = monomial.clone();
        for factor in by {
            let at = rest.iter().position(|one| one == factor)?;
            rest.remove(at);
        }
        all.insert(rest, times);
    }
    (!all.is_empty()).then_some(all)
}

/// What hypotheses say of the symbols of an equation or a comparison, and that it is false:
/// comparisons of 32 bits as signs of differences, which are polynomials in these symbols, and in
/// those of further terms, alone.
///
/// SOUNDNESS: each literal follows from the hypotheses and the negated goal; of two numbers of 32
/// bits the difference in 64 bits is exact, so its sign tells which is greater (test
/// `a_difference_has_a_sign`).
pub fn distilled(
    pool: &mut TermPool,
    hypotheses: &[TermId],
    goal: TermId,
    also: &[TermId],
) -> Option<Vec<TermId>> {
    let equations = Equations::new(pool, hypotheses);
    let negated = pool.not(goal);
    let (literal, mut symbols) = match (pool.op(goal), pool.args(goal)) {
        (Op::Eq, &[a, b]) if pool.sort(a) == Sort::BitVec(64) => {
            let difference = equations.difference(pool, a, b)?;
            let (value, zero) = (term_of(pool, &difference), pool.bv(64, 0));
            (pool.ne(value, zero), atoms(&difference))
        }
        _ => equations.compared(pool, negated)?,
    };
    for &term in also {
        symbols.extend(atoms(&equations.poly(pool, term, &mut FUEL.clone())?));
    }
    let mut literals = vec![literal];
    for fact in settled(pool, hypotheses) {
        if let Some((literal, own)) = equations.compared(pool, fact)
            && own.is_subset(&symbols)
        {
            literals.push(literal);
        }
    }
    for symbol in symbols {
        let own = narrow(pool, symbol);
        if let Some(&most) = equations.most.get(&own) {
            let most = pool.bv(pool.width(own), most);
            literals.push(pool.compare().ule(own, most));
        }
    }
    Some(literals)
}

/// The atoms of a polynomial.
fn atoms(poly: &Poly) -> BTreeSet<TermId> {
    poly.keys().flatten().copied().collect()
}

/// A polynomial as a term of 64 bits.
fn term_of(pool: &mut TermPool, poly: &Poly) -> TermId {
    let mut parts = vec![pool.bv(64, 0)];
    for (monomial, &times) in poly {
        let times = pool.bv(64, times);
        let factors: Vec<TermId> = monomial.iter().copied().chain([times]).collect();
        parts.push(pool.bits().product(&factors));
    }
    pool.bits().sum(&parts)
}

/// Do hypotheses say that `a <= b`, one of them a number, of the same polynomial?
fn is_bounded(pool: &mut TermPool, hypotheses: &[TermId], (a, b): (TermId, TermId)) -> bool {
    if pool.width(a) != 64 || pool.as_bv(a).is_some() == pool.as_bv(b).is_some() {
        return false;
    }
    let equations = Equations::new(pool, hypotheses);
    for fact in settled(pool, hypotheses) {
        let Some((x, y, strict, true)) = comparison(pool, fact) else { continue };
        if pool.width(x) != 64 {
            continue;
        }
        // SOUNDNESS: the number may only be weaker (test `a_weaker_bound_does_not_follow`).
        let room = i128::from(strict);
        let (one, other) = match [a, b, x, y].map(|side| signed_number(pool, side)) {
            [Some(goal), None, Some(known), None] if known + room >= goal => (b, y),
            [None, Some(goal), None, Some(known)] if known - room <= goal => (a, x),
            _ => continue,
        };
        if equations.difference(pool, one, other).is_some_and(|poly| poly.is_empty()) {
            return true;
        }
    }
    false
}

/// Are two terms equal wherever the hypotheses hold?
fn same_by_equations(pool: &mut TermPool, hypotheses: &[TermId], a: TermId, b: TermId) -> bool {
    if !matches!(pool.sort(a), Sort::BitVec(1..=64)) {
        return false;
    }
    let equations = Equations::new(pool, hypotheses);
    equations.difference(pool, a, b).is_some_and(|poly| poly.is_empty())
}

impl Equations {
    /// Reads hypotheses.
    fn new(pool: &mut TermPool, hypotheses: &[TermId]) -> Equations {
        let facts = settled(pool, hypotheses);
        let mut equations = Equations { most: limits(pool, &facts), ..Equations::default() };
        let mut pairs: Vec<(TermId, TermId)> = vec![];
        for &fact in &facts {
            let (Op::Eq, &[a, b]) = (pool.op(fact), pool.args(fact)) else { continue };
            // What is equal is so modulo 2^64.
            if matches!(pool.sort(a), Sort::BitVec(65..))
                && let (Some(a), Some(b)) = (truncated(pool, a, 64), truncated(pool, b, 64))
            {
                pairs.push((a, b));
            }
            if matches!(pool.sort(a), Sort::BitVec(1..=64)) {
                pairs.push((a, b));
                if pool.width(a) == 32 {
                    pairs.push((pool.bits().zero_extend(32, a), pool.bits().zero_extend(32, b)));
                    pairs.push((pool.bits().sign_extend(32, a), pool.bits().sign_extend(32, b)));
                }
            }
        }
        pairs.extend(widened(pool, &facts));
        for (a, b) in pairs {
            if let Some(poly) = equations.difference(pool, a, b) {
                equations.learn(pool, poly, a);
            }
        }
        equations
    }

    /// Solves `poly = 0` for one of its atoms; the latest term goes, so what remains is what
    /// the launch and its arguments are.
    fn learn(&mut self, pool: &TermPool, poly: Poly, of: TermId) {
        let width = pool.width(of);
        let minus_one = mask(width);
        let is_alone =
            |atom: TermId| poly.keys().filter(|monomial| monomial.contains(&atom)).count() == 1;
        let found = poly.iter().rev().find_map(|(monomial, &times)| match monomial[..] {
            [atom] if (times == 1 || times == minus_one) && is_alone(atom) => Some((atom, times)),
            _ => None,
        });
        let Some((atom, times)) = found else { return };
        let rest = poly.into_iter().filter(|(monomial, _)| *monomial != [atom]);
        // atom + rest = 0, or -atom + rest = 0.
        let by = if times == 1 { minus_one } else { 1 };
        let value = rest.map(|(monomial, own)| (monomial, own.wrapping_mul(by) & mask(width)));
        self.rules.insert(atom, value.collect());
    }

    /// `a - b`, by the rules.
    fn difference(&self, pool: &mut TermPool, a: TermId, b: TermId) -> Option<Poly> {
        let mut fuel = FUEL;
        let one = self.poly(pool, a, &mut fuel)?;
        let other = self.poly(pool, b, &mut fuel)?;
        let minus = Poly::from([(vec![], mask(pool.width(a)))]);
        let other = product(&other, &minus, pool.width(a))?;
        sum(one, &other, pool.width(a))
    }

    /// A comparison by the rules, and the atoms that it is about.
    fn compared(&self, pool: &mut TermPool, fact: TermId) -> Option<(TermId, BTreeSet<TermId>)> {
        let (a, b, strict, signed) = comparison(pool, fact)?;
        match pool.width(a) {
            32 => {
                let sides = [a, b].map(|side| match signed {
                    true => pool.bits().sign_extend(32, side),
                    false => pool.bits().zero_extend(32, side),
                });
                let poly = self.difference(pool, sides[1], sides[0])?;
                let (value, least) = (term_of(pool, &poly), pool.bv(64, u128::from(strict)));
                Some((pool.compare().sle(least, value), atoms(&poly)))
            }
            64 => {
                let one = self.poly(pool, a, &mut FUEL.clone())?;
                let other = self.poly(pool, b, &mut FUEL.clone())?;
                let symbols = atoms(&one).union(&atoms(&other)).copied().collect();
                let (a, b) = (term_of(pool, &one), term_of(pool, &other));
                let mut compare = pool.compare();
                let literal = match (signed, strict) {
                    (true, true) => compare.slt(a, b),
                    (true, false) => compare.sle(a, b),
                    (false, true) => compare.ult(a, b),
                    (false, false) => compare.ule(a, b),
                };
                Some((literal, symbols))
            }
            _ => None,
        }
    }

    /// A term as a polynomial of atoms that no rule replaces.
    fn poly(&self, pool: &mut TermPool, term: TermId, fuel: &mut u32) -> Option<Poly> {
        *fuel = fuel.checked_sub(1)?;
        let Sort::BitVec(width @ 1..=64) = pool.sort(term) else { return None };
        let args = pool.args(term).to_vec();
        if let Some(bits) = pool.as_bv(term) {
            let number = Poly::from([(vec![], bits)]);
            return Some(if bits == 0 { Poly::new() } else { number });
        }
        let op = pool.op(term);
        if op == Op::BvAdd {
            let mut all = Poly::new();
            for arg in args {
                all = sum(all, &self.poly(pool, arg, fuel)?, width)?;
            }
            return Some(all);
        }
        if op == Op::BvMul {
            let mut all = Poly::from([(vec![], 1)]);
            for arg in args {
                all = product(&all, &self.poly(pool, arg, fuel)?, width)?;
            }
            return Some(all);
        }
        self.atom(pool, term, fuel)
    }

    fn atom(&self, pool: &mut TermPool, term: TermId, fuel: &mut u32) -> Option<Poly> {
        let mut atom = term;
        // A number that is not negative has one extension.
        if let (Op::SignExtend(by), &[narrow]) = (pool.op(term), pool.args(term))
            && self.most.get(&narrow).is_some_and(|&most| most <= mask(pool.width(narrow)) / 2)
        {
            atom = pool.bits().zero_extend(by, narrow);
        }
        let Some(rule) = self.rules.get(&atom) else {
            return Some(Poly::from([(vec![atom], 1)]));
        };
        // What a rule yields may have atoms of later rules.
        let width = pool.width(term);
        let mut all = Poly::new();
        for (monomial, &times) in rule {
            let mut part = Poly::from([(vec![], times)]);
            for &factor in monomial {
                *fuel = fuel.checked_sub(1)?;
                part = product(&part, &self.atom(pool, factor, fuel)?, width)?;
            }
            all = sum(all, &part, width)?;
        }
        Some(all)
    }
}

fn mask(width: u32) -> u128 {
    (1 << width) - 1
}

fn sum(mut a: Poly, b: &Poly, width: u32) -> Option<Poly> {
    for (monomial, times) in b {
        let own = a.entry(monomial.clone()).or_default();
        *own = own.wrapping_add(*times) & mask(width);
    }
    a.retain(|_, times| *times != 0);
    (a.len() <= MONOMIALS).then_some(a)
}

fn product(a: &Poly, b: &Poly, width: u32) -> Option<Poly> {
    let mut all = Poly::new();
    if a.len() * b.len() > MONOMIALS {
        return None;
    }
    for (x, p) in a {
        for (y, q) in b {
            let mut monomial: Vec<TermId> = x.iter().chain(y).copied().collect();
            monomial.sort_unstable();
            all = sum(all, &Poly::from([(monomial, p.wrapping_mul(*q) & mask(width))]), width)?;
        }
    }
    Some(all)
}

/// The conjuncts of hypotheses; a choice of which all but one are excluded is that one. Other
/// choices are left out.
pub fn settled(pool: &mut TermPool, hypotheses: &[TermId]) -> Vec<TermId> {
    let (mut facts, mut seen): (Vec<TermId>, BTreeSet<TermId>) = (vec![], BTreeSet::new());
    let mut left: Vec<TermId> = hypotheses.iter().rev().copied().collect();
    let mut choices = vec![];
    for _ in 0..ROUNDS {
        while let Some(term) = left.pop() {
            if pool.op(term) == Op::And {
                left.extend(pool.args(term));
            } else if pool.op(term) == Op::Or {
                choices.push(term);
            } else if seen.insert(term) {
                facts.push(term);
            }
        }
        let nonzero = nonzero(pool, &facts);
        choices.retain(|&choice| match only(pool, choice, &seen, &nonzero) {
            Some(one) => {
                left.push(one);
                false
            }
            None => true,
        });
        if left.is_empty() {
            break;
        }
    }
    facts
}

/// The one part of a choice that is not excluded.
fn only(
    pool: &mut TermPool,
    choice: TermId,
    facts: &BTreeSet<TermId>,
    nonzero: &BTreeSet<TermId>,
) -> Option<TermId> {
    let mut open = vec![];
    for part in pool.args(choice).to_vec() {
        let not = pool.not(part);
        let is_known = match pool.op(not) == Op::And {
            true => pool.args(not).iter().all(|one| facts.contains(one)),
            false => facts.contains(&not),
        };
        let is_zero = match (pool.op(part), pool.args(part)) {
            (Op::Eq, &[a, b]) => {
                (pool.as_bv(a) == Some(0) && nonzero.contains(&b))
                    || (pool.as_bv(b) == Some(0) && nonzero.contains(&a))
            }
            _ => false,
        };
        if !is_known && !is_zero {
            open.push(part);
        }
    }
    (open.len() == 1).then(|| open[0])
}

/// A comparison of numbers: less, or at most, and whether they have signs.
fn comparison(pool: &TermPool, fact: TermId) -> Option<(TermId, TermId, bool, bool)> {
    let op = pool.op(fact);
    let &[a, b] = pool.args(fact) else { return None };
    let is_one = matches!(op, Op::Ult | Op::Ule | Op::Slt | Op::Sle);
    let (strict, signed) = (matches!(op, Op::Ult | Op::Slt), matches!(op, Op::Slt | Op::Sle));
    is_one.then_some((a, b, strict, signed))
}

/// What was extended, if anything.
fn narrow(pool: &TermPool, term: TermId) -> TermId {
    match matches!(pool.op(term), Op::ZeroExtend(_) | Op::SignExtend(_)) {
        true => pool.args(term)[0],
        false => term,
    }
}

/// A number with its sign.
fn signed_number(pool: &TermPool, term: TermId) -> Option<i128> {
    let (bits, width) = (pool.as_bv(term)?, pool.width(term));
    Some(duet_smt::to_signed(bits, width))
}

/// The most that terms of 32 bits may be, as numbers without sign.
fn limits(pool: &TermPool, facts: &[TermId]) -> BTreeMap<TermId, u128> {
    let mut most: BTreeMap<TermId, u128> = BTreeMap::new();
    let is_narrow = |term: TermId| pool.sort(term) == Sort::BitVec(32);
    for _ in 0..ROUNDS {
        for &fact in facts {
            let Some((a, b, strict, signed)) = comparison(pool, fact) else { continue };
            let (limit, term) = match signed {
                // Zero is at most the number.
                true => match signed_number(pool, a) {
                    Some(least) if least >= 0 && signed_source(pool, b) => (MOST, narrow(pool, b)),
                    _ => continue,
                },
                false => {
                    let limit = pool.as_bv(b).or_else(|| most.get(&b).copied());
                    let Some(limit) = limit else { continue };
                    (limit.saturating_sub(u128::from(strict)), a)
                }
            };
            if is_narrow(term) {
                let own = most.entry(term).or_insert(limit);
                *own = limit.min(*own);
            }
        }
    }
    most
}

/// A term of 32 bits, or its extension by its sign.
fn signed_source(pool: &TermPool, term: TermId) -> bool {
    matches!(pool.op(term), Op::SignExtend(_)) || pool.width(term) == 32
}

/// Terms that are not zero, and what they are extensions of.
fn nonzero(pool: &TermPool, facts: &[TermId]) -> BTreeSet<TermId> {
    let mut all = BTreeSet::new();
    for &fact in facts {
        let Some((a, b, strict, signed)) = comparison(pool, fact) else { continue };
        let least = match signed {
            true => signed_number(pool, a),
            false => pool.as_bv(a).map(|bits| bits as i128),
        };
        // What is above a number without sign is not zero either.
        let above = !signed && strict;
        if above || least.is_some_and(|least| least + i128::from(strict) >= 1) {
            all.insert(b);
            all.insert(narrow(pool, b));
        }
    }
    all
}

/// Sums and products of 64 bits that are in the range of 32 bits, each with its value in 32
/// bits extended by its sign.
fn widened(pool: &mut TermPool, facts: &[TermId]) -> Vec<(TermId, TermId)> {
    let (mut lower, mut upper) = (BTreeSet::new(), vec![]);
    for &fact in facts {
        let Some((a, b, strict, true)) = comparison(pool, fact) else { continue };
        let room = i128::from(strict);
        if signed_number(pool, a).is_some_and(|least| least + room >= i128::from(i32::MIN)) {
            lower.insert(b);
        }
        if signed_number(pool, b).is_some_and(|most| most - room <= i128::from(i32::MAX)) {
            upper.push(a);
        }
    }
    let mut pairs = vec![];
    for wide in upper {
        let is_compound = matches!(pool.op(wide), Op::BvAdd | Op::BvMul);
        if is_compound
            && pool.width(wide) == 64
            && lower.contains(&wide)
            && let Some(narrow) = truncated(pool, wide, 32)
        {
            pairs.push((pool.bits().sign_extend(32, narrow), wide));
        }
    }
    pairs
}

/// A sum or product modulo 2^to, of what it is made of.
fn truncated(pool: &mut TermPool, term: TermId, to: u32) -> Option<TermId> {
    let (op, args) = (pool.op(term), pool.args(term).to_vec());
    if let Some(bits) = pool.as_bv(term) {
        return Some(pool.bv(to, bits & mask(to)));
    }
    if matches!(op, Op::ZeroExtend(_) | Op::SignExtend(_)) {
        let own = pool.width(args[0]);
        return match (own.cmp(&to), op) {
            (Ordering::Greater, _) => truncated(pool, args[0], to),
            (Ordering::Equal, _) => Some(args[0]),
            (Ordering::Less, Op::ZeroExtend(_)) => Some(pool.bits().zero_extend(to - own, args[0])),
            (Ordering::Less, _) => Some(pool.bits().sign_extend(to - own, args[0])),
        };
    }
    if !matches!(op, Op::BvAdd | Op::BvMul) {
        return None;
    }
    let parts: Vec<TermId> =
        args.into_iter().map(|arg| truncated(pool, arg, to)).collect::<Option<_>>()?;
    Some(match op == Op::BvAdd {
        true => pool.bits().sum(&parts),
        false => pool.bits().product(&parts),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `sign_extend(x + y)` and `sign_extend(x) + sign_extend(y)`.
    fn sums(pool: &mut TermPool) -> (TermId, TermId) {
        let (x, y) = (pool.bv_var("x", 32), pool.bv_var("y", 32));
        let narrow = pool.bits().add(x, y);
        let narrow = pool.bits().sign_extend(32, narrow);
        let (x, y) = (pool.bits().sign_extend(32, x), pool.bits().sign_extend(32, y));
        (narrow, pool.bits().add(x, y))
    }

    fn at_least(pool: &mut TermPool, term: TermId, least: i64) -> TermId {
        let least = pool.bv(64, least as u64 as u128);
        pool.compare().sle(least, term)
    }

    fn at_most(pool: &mut TermPool, term: TermId, most: i64) -> TermId {
        let most = pool.bv(64, most as u64 as u128);
        pool.compare().sle(term, most)
    }

    #[test]
    fn what_may_wrap_is_not_widened() {
        let mut pool = TermPool::new();
        let (narrow, wide) = sums(&mut pool);
        let low = at_least(&mut pool, wide, i64::from(i32::MIN));
        let high = at_most(&mut pool, wide, i64::from(i32::MAX));
        let beyond = at_most(&mut pool, wide, i64::from(i32::MAX) + 1);
        assert!(same_by_equations(&mut pool, &[low, high], narrow, wide));
        assert!(!same_by_equations(&mut pool, &[low], narrow, wide));
        assert!(!same_by_equations(&mut pool, &[high], narrow, wide));
        assert!(!same_by_equations(&mut pool, &[low, beyond], narrow, wide));
    }

    #[test]
    fn a_difference_has_a_sign() {
        let mut pool = TermPool::new();
        let [a, b, n] = ["a", "b", "n"].map(|name| pool.bv_var(name, 32));
        let less = pool.compare().slt(a, b);
        let [x, y] = [a, b].map(|one| pool.bits().sign_extend(32, one));
        let (zero, one) = (pool.bv(64, 0), pool.bv(64, 1));
        // Of the numbers themselves it would be an equation in 32 bits.
        let next = pool.bits().add(y, one);
        let goal = pool.eq(x, next);
        let literals = distilled(&mut pool, &[less], goal, &[]).expect("an equation in 64 bits");
        let difference = pool.bits().sub(y, x);
        let positive = pool.compare().sle(one, difference);
        let not_negative = pool.compare().sle(zero, difference);
        assert!(literals.contains(&positive) && !literals.contains(&not_negative));
        // What is about others is left out, and of numbers without sign the sign is not used.
        let other = pool.compare().slt(a, n);
        let unsigned = pool.compare().ult(a, b);
        let literals = distilled(&mut pool, &[other, unsigned], goal, &[]);
        let literals = literals.expect("an equation in 64 bits");
        assert!(!literals.contains(&positive) && literals.len() == 1);
    }

    #[test]
    fn a_weaker_bound_does_not_follow() {
        let mut pool = TermPool::new();
        let (narrow, wide) = sums(&mut pool);
        let low = at_least(&mut pool, wide, -5);
        let high = at_most(&mut pool, wide, 7);
        let goals = [(7, true), (8, true), (6, false)];
        for (most, holds) in goals {
            let goal = at_most(&mut pool, narrow, most);
            assert_eq!(follows(&mut pool, &[low, high], goal), holds);
        }
        for (least, holds) in [(-5, true), (-6, true), (-4, false)] {
            let goal = at_least(&mut pool, narrow, least);
            assert_eq!(follows(&mut pool, &[low, high], goal), holds);
        }
        // Without a lower end the sum in 32 bits may be another number.
        let goal = at_most(&mut pool, narrow, 7);
        assert!(!follows(&mut pool, &[high], goal));
    }

    #[test]
    fn a_guarded_equation_is_no_rule() {
        let mut pool = TermPool::new();
        let names = ["a", "b", "q", "r"];
        let [a, b, q, r] = names.map(|name| pool.bv_var(name, 64));
        let zero = pool.bv(64, 0);
        let product = pool.bits().mul(b, q);
        let value = pool.bits().add(product, r);
        let (guard, equation) = (pool.eq(b, zero), pool.eq(a, value));
        let choice = pool.or2(guard, equation);
        let twice = pool.bits().mul(a, a);
        let other = pool.bits().mul(value, value);
        assert!(!same_by_equations(&mut pool, &[choice], twice, other));
        // At least zero is not enough.
        let weak = pool.compare().sle(zero, b);
        assert!(!same_by_equations(&mut pool, &[choice, weak], twice, other));
        let positive = pool.compare().slt(zero, b);
        assert!(same_by_equations(&mut pool, &[choice, positive], twice, other));
    }

    #[test]
    fn a_sign_is_kept_unless_there_is_none() {
        let mut pool = TermPool::new();
        let (x, n) = (pool.bv_var("x", 32), pool.bv_var("n", 32));
        let signed = pool.bits().sign_extend(32, x);
        let unsigned = pool.bits().zero_extend(32, x);
        let below = pool.compare().ult(x, n);
        assert!(!same_by_equations(&mut pool, &[below], signed, unsigned));
        let most = pool.bv(32, 1 << 31);
        let small = pool.compare().ule(n, most);
        assert!(same_by_equations(&mut pool, &[below, small], signed, unsigned));
        assert!(!same_by_equations(&mut pool, &[small], signed, unsigned));
    }

    #[test]
    fn an_equation_is_solved_for_an_atom_alone() {
        let mut pool = TermPool::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| pool.bv_var(name, 64));
        // x = x·y + z says nothing of x by itself, and 2x = 2y not that x = y.
        let product = pool.bits().mul(x, y);
        let value = pool.bits().add(product, z);
        let equation = pool.eq(x, value);
        assert!(!same_by_equations(&mut pool, &[equation], x, z));
        let two = pool.bv(64, 2);
        let (double, other) = (pool.bits().mul(two, x), pool.bits().mul(two, y));
        let equation = pool.raw(Op::Eq, &[double, other]);
        assert!(!same_by_equations(&mut pool, &[equation], x, y));
    }
}
