//! Goals: each is a conjunction that must have no model, asked of the simplifier, the algebra
//! and a solver, in this order.

use std::collections::{BTreeMap, HashMap};

use duet_parametric::writer::Inverse;
use duet_smt::solver::{Answer, Limits, ProcessSolver, preferred};
use duet_smt::{Decider, DeciderOptions, FuncId, Op, Prefer, Question, TermId, TermPool};

use super::trials;
use crate::engines::NotShown;

/// Goals that are asked for one pair of kernels.
const MOST_GOALS: u32 = 400;
/// What a goal may cost, in units of z3's count: about a fifth of a second.
const LIMIT: u64 = 2_000_000;
/// The same where products are symbols: a first try.
const BRIEF_LIMIT: u64 = 600_000;

/// What all of them may cost.
const MOST_WORK: u64 = 80_000_000;
/// What they may cost in an attempt that is made again with more facts.
const FIRST_WORK: u64 = 30_000_000;

/// Shows goals from facts.
pub struct Goals {
    decider: Decider,
    /// What always holds: limits of sizes, and preconditions that name no thread.
    facts: Vec<TermId>,
    /// Functions of which something is known, with their arguments.
    lemmas: Vec<Lemma>,
    /// Names of quotients and remainders.
    quotients: HashMap<(TermId, TermId), (TermId, TermId)>,
    asked: u32,
    /// Goals that were true as they stand.
    plain: u64,
    /// What all of them may cost.
    most_work: u64,
}

/// A function, its arguments, and what holds of it for all of them.
pub type Lemma = (FuncId, Vec<TermId>, Vec<TermId>);

impl Goals {
    /// Goals under these facts, with so much work for all of them; less in an attempt that is
    /// made again with more facts.
    ///
    /// # Errors
    /// If no solver is there.
    pub fn new(
        facts: Vec<TermId>,
        lemmas: Vec<Lemma>,
        is_last: bool,
        work: u64,
    ) -> Result<Goals, NotShown> {
        let solver = ProcessSolver::find(preferred(), None).map_err(|error| error.to_string())?;
        let most = if is_last { MOST_WORK } else { FIRST_WORK };
        Ok(Goals {
            decider: Decider::new(Box::new(solver), options(LIMIT)),
            facts,
            lemmas,
            quotients: HashMap::new(),
            asked: 0,
            plain: 0,
            most_work: work.min(most),
        })
    }

    /// Shows all of several goals.
    ///
    /// # Errors
    /// If one is not shown.
    pub fn show_all(
        &mut self,
        pool: &mut TermPool,
        facts: &[TermId],
        goals: &[TermId],
    ) -> Result<(), NotShown> {
        // Those that are false as they stand are not worth asking the others.
        if goals.iter().any(|&goal| pool.as_bool(goal) == Some(false)) {
            return Err("a goal is false".into());
        }
        for &goal in goals {
            if pool.as_bool(goal) == Some(true) {
                self.plain += 1;
                continue;
            }
            let negated = pool.not(goal);
            let literals: Vec<TermId> = facts.iter().copied().chain([negated]).collect();
            if !self.is_impossible(pool, &literals) {
                return Err("a goal was not shown".into());
            }
        }
        Ok(())
    }

    /// Is there a small example in which the facts hold and a goal does not?
    pub fn is_contradicted(&self, pool: &mut TermPool, facts: &[TermId], goal: TermId) -> bool {
        let negated = pool.not(goal);
        let facts = self.facts.iter().chain(facts).copied();
        let mut literals: Vec<TermId> = facts.chain([negated]).collect();
        let more = self.instances(pool, &literals);
        literals.extend(more);
        trials::has_example(pool, &literals, negated)
    }

    /// In how many of a few small examples a condition holds beside facts.
    pub fn weight(&self, pool: &mut TermPool, facts: &[TermId], condition: TermId) -> usize {
        let facts: Vec<TermId> = self.facts.iter().chain(facts).copied().collect();
        trials::weight(pool, &facts, condition)
    }

    /// Can the facts not hold together?
    ///
    /// SOUNDNESS: only `unsat` counts; a solver that gives up or dies shows nothing (test
    /// `only_unsat_shows_a_goal`).
    pub fn is_impossible(&mut self, pool: &mut TermPool, facts: &[TermId]) -> bool {
        self.asked += 1;
        if self.asked > MOST_GOALS || self.decider.statistics().work > self.most_work {
            return false;
        }
        let mut literals: Vec<TermId> = self.facts.iter().chain(facts).copied().collect();
        let more = self.instances(pool, &literals);
        literals.extend(more);
        if facts.last().is_some_and(|&goal| trials::has_example(pool, &literals, goal)) {
            return false;
        }
        let named = self.without_divisions(pool, &literals);
        self.is_refuted(pool, &named)
            || named.len() != literals.len() && {
                let expanded = expanded(pool, &literals);
                self.is_refuted(pool, &expanded)
            }
            || self.is_refuted_by_bits(pool, &literals)
    }

    /// Are the literals refuted as bits, with products and quotients of symbols as symbols of
    /// their own? Beside a product all of a question is asked about integers, where numbers with
    /// signs, masks and shifts are hard (`n - n / 4 * 4` beside an id).
    fn is_refuted_by_bits(&mut self, pool: &mut TermPool, literals: &[TermId]) -> bool {
        let all = pool.reachable(literals);
        if !all.iter().any(|&part| is_of_bits(pool, part)) {
            return false;
        }
        let plain = products_as_symbols(pool, literals);
        if plain == literals {
            return false;
        }
        self.decider.set_options(options(BRIEF_LIMIT));
        let is_refuted = self.is_refuted_as(pool, &plain, Prefer::Bits);
        self.decider.set_options(options(LIMIT));
        is_refuted
    }

    /// Is it easy to see that the facts cannot hold together? For what is skipped then, and need
    /// not be.
    pub fn is_plainly_impossible(&mut self, pool: &mut TermPool, facts: &[TermId]) -> bool {
        self.decider.set_options(DeciderOptions { brief: true, ..options(BRIEF_LIMIT) });
        let is_impossible = self.is_impossible(pool, facts);
        self.decider.set_options(options(LIMIT));
        is_impossible
    }

    fn is_refuted(&mut self, pool: &mut TermPool, literals: &[TermId]) -> bool {
        self.is_refuted_as(pool, literals, Prefer::Auto)
    }

    /// Does a goal about single bits hold whatever the functions in it yield? Beside facts about
    /// sizes a solver is asked about integers, and knows little of `|` and `^` there.
    ///
    /// SOUNDNESS: equal functions of equal arguments have one name, and nothing else is
    /// assumed (test `bits_that_differ_in_one_place`).
    pub fn holds_always(&mut self, pool: &mut TermPool, goal: TermId) -> bool {
        self.asked += 1;
        let parts = pool.reachable(&[goal]);
        if self.asked > MOST_GOALS || !parts.into_iter().any(|part| is_of_bits(pool, part)) {
            return false;
        }
        let plain = pool.rebuild(&[goal], |pool, term, args| {
            let is_function = matches!(pool.op(term), Op::Apply(_)) && !args.is_empty();
            is_function.then(|| pool.fresh("any", pool.sort(term)))
        })[0];
        let negated = pool.not(plain);
        self.is_refuted_as(pool, &[negated], Prefer::Bits)
    }

    fn is_refuted_as(&mut self, pool: &mut TermPool, literals: &[TermId], prefer: Prefer) -> bool {
        let mut literals = literals.to_vec();
        literals.sort_unstable();
        literals.dedup();
        if literals.iter().any(|&literal| pool.as_bool(literal) == Some(false)) {
            return true;
        }
        let question =
            Question { literals: &literals, prefer, about: "equivalence", ..Question::default() };
        match self.decider.decide(pool, &question) {
            Ok(decision) => matches!(decision.answer, Answer::Unsat),
            Err(_) => false,
        }
    }

    /// Literals in which quotients and remainders by terms are symbols: `x = q * d + r` and
    /// `r < d`. Solvers know little of division.
    ///
    /// SOUNDNESS: what is said of the symbols holds of the quotient and the remainder, as
    /// integers; nothing is said where the divisor is zero (test
    /// `a_quotient_by_zero_is_not_named`).
    fn without_divisions(&mut self, pool: &mut TermPool, literals: &[TermId]) -> Vec<TermId> {
        let mut facts = vec![];
        let known = &mut self.quotients;
        let mut seen: Vec<(TermId, TermId)> = vec![];
        let mut result = pool.rebuild(literals, |pool, term, args| {
            let op = pool.op(term);
            if let (Op::BvSdiv | Op::BvSrem, Some(_)) =
                (op, args.get(1).and_then(|&d| pool.as_bv(d)))
            {
                return by_number(pool, known, &mut facts, op, [args[0], args[1]]);
            }
            let is_division = matches!(op, Op::BvUdiv | Op::BvUrem);
            if !is_division || pool.as_bv(args[1]).is_some() || pool.width(args[0]) > 64 {
                return None;
            }
            let (x, d) = (args[0], args[1]);
            let (q, r) = *known.entry((x, d)).or_insert_with(|| {
                let sort = pool.sort(x);
                (pool.fresh("quotient", sort), pool.fresh("remainder", sort))
            });
            if !seen.contains(&(x, d)) {
                seen.push((x, d));
                let width = 2 * pool.width(x);
                let [wide_x, wide_d, wide_q, wide_r] =
                    [x, d, q, r].map(|one| pool.bits().zext_or_trunc(one, width));
                let product = pool.bits().mul(wide_q, wide_d);
                let sum = pool.bits().add(product, wide_r);
                let zero = pool.bv(pool.width(d), 0);
                let is_zero = pool.eq(d, zero);
                let parts =
                    [pool.eq(wide_x, sum), pool.compare().ult(r, d), pool.compare().ule(q, x)];
                facts.extend(parts.map(|part| pool.or2(is_zero, part)));
            }
            Some(if op == Op::BvUdiv { q } else { r })
        });
        // A bound of a quotient is one of its product with the divisor.
        for literal in result.clone() {
            let [a, b] = *pool.args(literal) else { continue };
            let by = known.iter().find(|(_, (q, _))| *q == b).map(|((_, d), _)| *d);
            if let (Op::Ule, Some(d)) = (pool.op(literal), by) {
                let width = 2 * pool.width(d);
                let [a, b, d] = [a, b, d].map(|one| pool.bits().zext_or_trunc(one, width));
                let (low, high) = (pool.bits().mul(a, d), pool.bits().mul(b, d));
                facts.push(pool.compare().ule(low, high));
            }
        }
        result.extend(facts);
        result
    }

    /// What is known of functions, at the arguments at which they occur.
    fn instances(&self, pool: &mut TermPool, literals: &[TermId]) -> Vec<TermId> {
        if self.lemmas.is_empty() {
            return vec![];
        }
        let mut list = vec![];
        for term in pool.reachable(literals) {
            let Op::Apply(func) = pool.op(term) else { continue };
            let Some((_, params, facts)) = self.lemmas.iter().find(|(own, _, _)| *own == func)
            else {
                continue;
            };
            let args = pool.args(term).to_vec();
            let values = params.iter().copied().zip(args).collect();
            list.extend(Inverse { values }.apply_all(pool, facts));
        }
        list
    }

    /// How many goals each means decided; those that are true as they stand are the
    /// simplifier's.
    pub fn decided(&self) -> BTreeMap<&'static str, u64> {
        let mut decided = self.decider.statistics().decided.clone();
        *decided.entry("simplifier").or_default() += self.plain;
        decided.retain(|_, count| *count > 0);
        decided
    }
}

fn options(limit: u64) -> DeciderOptions {
    DeciderOptions { first: Limits::units(limit), second: None, ..DeciderOptions::default() }
}

/// Is it an operation that is about single bits, or about the sign?
fn is_of_bits(pool: &TermPool, term: TermId) -> bool {
    use Op::{BvAnd, BvAshr, BvLshr, BvOr, BvSdiv, BvShl, BvSrem, BvXor, Concat, Extract};
    matches!(
        pool.op(term),
        BvAnd | BvOr | BvXor | BvShl | BvLshr | BvAshr | BvSdiv | BvSrem | Concat | Extract { .. }
    )
}

/// Literals in which a symbol stands for each product of symbols, and for each quotient and
/// remainder by one; a number that such a product is multiplied by stays.
///
/// SOUNDNESS: one symbol stands for one product, whatever it is, so what has no model here
/// has none (test `one_symbol_for_one_product`).
fn products_as_symbols(pool: &mut TermPool, literals: &[TermId]) -> Vec<TermId> {
    let mut names: HashMap<TermId, TermId> = HashMap::new();
    let mut name = |pool: &mut TermPool, product: TermId| {
        let sort = pool.sort(product);
        *names.entry(product).or_insert_with(|| pool.fresh("product", sort))
    };
    pool.rebuild(literals, |pool, term, args| match pool.op(term) {
        Op::BvMul => {
            let (numbers, factors): (Vec<TermId>, Vec<TermId>) =
                args.iter().partition(|&&arg| pool.as_bv(arg).is_some());
            if factors.len() < 2 {
                return None;
            }
            let product = pool.bits().product(&factors);
            let product = name(pool, product);
            let all: Vec<TermId> = numbers.into_iter().chain([product]).collect();
            Some(pool.bits().product(&all))
        }
        op @ (Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem)
            if pool.as_bv(args[1]).is_none() =>
        {
            let quotient = pool.mk(op, args);
            Some(name(pool, quotient))
        }
        _ => None,
    })
}

/// A signed quotient by a positive number as a symbol `q`, or the remainder `x - q * d`, which has
/// the sign of x.
///
/// SOUNDNESS: the quotient is rounded towards zero (test `quotients_of_negative_numbers`).
fn by_number(
    pool: &mut TermPool,
    known: &mut HashMap<(TermId, TermId), (TermId, TermId)>,
    facts: &mut Vec<TermId>,
    op: Op,
    [x, d]: [TermId; 2],
) -> Option<TermId> {
    let width = pool.width(x);
    let number = pool.as_bv(d)?;
    if number == 0 || number >> (width - 1) != 0 || width > 64 {
        return None;
    }
    let sort = pool.sort(x);
    let (q, _) = *known.entry((x, d)).or_insert_with(|| {
        let name = pool.fresh("quotient", sort);
        (name, name)
    });
    let product = pool.bits().mul(q, d);
    let rest = pool.bits().sub(x, product);
    let [wide_x, wide_q, wide_d] = [x, q, d].map(|one| pool.bits().sext_or_trunc(one, 2 * width));
    let wide = pool.bits().mul(wide_q, wide_d);
    let (low, high) = (pool.bits().sub(wide, wide_d), pool.bits().add(wide, wide_d));
    let zero = pool.bv(width, 0);
    let is_natural = pool.compare().sle(zero, x);
    let is_negative = pool.not(is_natural);
    let (up, below) = (pool.compare().sle(wide, wide_x), pool.compare().slt(wide_x, high));
    let (down, above) = (pool.compare().sle(wide_x, wide), pool.compare().slt(low, wide_x));
    let signs = [pool.compare().sle(zero, q), pool.compare().sle(q, zero)];
    for (fact, unless) in [(up, is_negative), (below, is_negative), (signs[0], is_negative)] {
        facts.push(pool.or2(unless, fact));
    }
    for (fact, unless) in [(down, is_natural), (above, is_natural), (signs[1], is_natural)] {
        facts.push(pool.or2(unless, fact));
    }
    Some(if op == Op::BvSdiv { q } else { rest })
}

/// Summands of a sum that is multiplied out, at most.
const MOST_SUMMANDS: usize = 64;

/// Literals with remainders as `x - d * (x / d)` and products of sums multiplied out. Both
/// are identities of machine arithmetic, division by zero included.
fn expanded(pool: &mut TermPool, literals: &[TermId]) -> Vec<TermId> {
    pool.rebuild(literals, |pool, term, args| match pool.op(term) {
        Op::BvUrem if pool.as_bv(args[1]).is_none() => {
            let quotient = pool.bits().udiv(args[0], args[1]);
            let product = pool.bits().mul(args[1], quotient);
            let rest = pool.bits().sub(args[0], product);
            Some(multiplied_out(pool, rest))
        }
        Op::BvAdd => {
            let sum = pool.bits().sum(args);
            Some(multiplied_out(pool, sum))
        }
        Op::BvMul => {
            let product = pool.bits().product(args);
            Some(multiplied_out(pool, product))
        }
        _ => None,
    })
}

fn multiplied_out(pool: &mut TermPool, term: TermId) -> TermId {
    let Some(summands) = summands(pool, term) else { return term };
    let width = pool.width(term);
    let mut parts = vec![];
    for (factors, number) in summands {
        let number = pool.bv(width, number);
        let product: Vec<TermId> = [number].into_iter().chain(factors).collect();
        parts.push(pool.bits().product(&product));
    }
    match parts.is_empty() {
        true => pool.bv(width, 0),
        false => pool.bits().sum(&parts),
    }
}

/// A polynomial modulo 2^w: numbers of products of terms.
fn summands(pool: &TermPool, term: TermId) -> Option<BTreeMap<Vec<TermId>, u128>> {
    let mask = duet_smt::mask(pool.width(term));
    let mut result: BTreeMap<Vec<TermId>, u128> = BTreeMap::new();
    match pool.op(term) {
        Op::BvConst { bits, .. } => {
            result.insert(vec![], bits);
        }
        Op::BvAdd => {
            for &arg in pool.args(term) {
                for (factors, number) in summands(pool, arg)? {
                    let sum = result.entry(factors).or_default();
                    *sum = sum.wrapping_add(number) & mask;
                }
            }
        }
        Op::BvMul => {
            result.insert(vec![], 1);
            for &arg in pool.args(term) {
                let (before, own) = (std::mem::take(&mut result), summands(pool, arg)?);
                for (x, m) in &before {
                    for (y, n) in &own {
                        let mut factors = [x.as_slice(), y].concat();
                        factors.sort_unstable();
                        let sum = result.entry(factors).or_default();
                        *sum = sum.wrapping_add(m.wrapping_mul(*n)) & mask;
                    }
                }
            }
        }
        _ => {
            result.insert(vec![term], 1);
        }
    }
    result.retain(|_, number| *number != 0);
    (result.len() <= MOST_SUMMANDS).then_some(result)
}

#[cfg(test)]
mod tests {
    use duet_smt::TermPool;

    use super::products_as_symbols;

    #[test]
    fn one_symbol_for_one_product() {
        let mut pool = TermPool::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| pool.bv_var(name, 32));
        let three = pool.bv(32, 3);
        let product = pool.bits().mul(x, y);
        let turned = pool.bits().mul(y, x);
        let tripled = pool.bits().product(&[three, x, y]);
        let other = pool.bits().mul(x, z);
        let [quotient, opposite] = [pool.bits().udiv(x, y), pool.bits().udiv(y, x)];
        let terms = [product, turned, tripled, other, quotient, opposite];
        let named = products_as_symbols(&mut pool, &terms);
        assert_eq!(named[0], named[1]);
        assert_eq!(named[2], pool.bits().mul(three, named[0]));
        let single = [named[0], named[3], named[4], named[5]];
        for (at, one) in single.iter().enumerate() {
            assert!(pool.args(*one).is_empty() && !single[..at].contains(one));
        }
        // What is no product of symbols stays.
        let linear = pool.bits().mul(three, x);
        assert_eq!(products_as_symbols(&mut pool, &[linear]), [linear]);
    }
}
