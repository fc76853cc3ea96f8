//! Goals that a small example contradicts are not worth a question.
//!
//! Most proposals for a writer are wrong, and a solver takes long to say so where sizes are
//! free. A few assignments of small numbers, chosen by the names of symbols so that ids are
//! often below sizes, show it at once.
//!
//! An example only ends an attempt; nothing is shown by it.

use duet_smt::{FuncId, Model, Op, Sort, TermId, TermPool, Value, eval, holds};

/// Assignments that are tried.
const TRIALS: u64 = 300;

/// Does an assignment satisfy all literals? One of them is looked at first: as the negation of a
/// goal that holds it is hardly ever satisfied.
pub(super) fn has_example(pool: &mut TermPool, literals: &[TermId], first: TermId) -> bool {
    let known = Known::new(pool, literals);
    let pool = &*pool;
    known.models(pool).any(|model| holds(pool, &model, &[first]) && holds(pool, &model, literals))
}

/// How many of a few assignments that satisfy the facts satisfy a condition.
pub(super) fn weight(pool: &mut TermPool, facts: &[TermId], condition: TermId) -> usize {
    let known = Known::new(pool, facts);
    let pool = &*pool;
    let meets = |model: &Model| holds(pool, model, &[condition]) && holds(pool, model, facts);
    known.models(pool).filter(meets).count()
}

/// The symbols of literals, and what equations say of them.
struct Known {
    symbols: Vec<(FuncId, Sort)>,
    equations: Vec<(FuncId, TermId)>,
}

impl Known {
    fn new(pool: &mut TermPool, literals: &[TermId]) -> Known {
        let symbols = symbols(pool, literals);
        Known { symbols, equations: equations(pool, literals) }
    }

    /// Assignments of small numbers that meet the equations, as far as they do not depend on each
    /// other.
    fn models<'p>(&'p self, pool: &'p TermPool) -> impl Iterator<Item = Model> + 'p {
        (0..TRIALS).map(move |trial| {
            let mut draw = Draw { state: trial };
            let mut model = Model::new();
            for &(func, sort) in &self.symbols {
                if let Sort::BitVec(width) = sort {
                    let small = draw.small(&pool.func_data(func).name);
                    model.set(func, Value::bv(width, small));
                }
            }
            for &(func, value) in &self.equations {
                if let Ok(value) = eval(pool, &model, value) {
                    model.set(func, value);
                }
            }
            model
        })
    }
}

/// Symbols without arguments.
fn symbols(pool: &TermPool, literals: &[TermId]) -> Vec<(FuncId, Sort)> {
    let terms = pool.reachable(literals).into_iter();
    let symbol = |term: TermId| match pool.op(term) {
        Op::Apply(func) if pool.args(term).is_empty() => Some((func, pool.sort(term))),
        _ => None,
    };
    terms.filter_map(symbol).collect()
}

/// Symbols that a fact says the value of, by itself or as a summand.
fn equations(pool: &mut TermPool, facts: &[TermId]) -> Vec<(FuncId, TermId)> {
    let mut list: Vec<(FuncId, TermId)> = vec![];
    for &fact in facts.iter().filter(|&&fact| pool.op(fact) == Op::Eq).collect::<Vec<_>>() {
        let [a, b] = [pool.args(fact)[0], pool.args(fact)[1]];
        let found = solved(pool, a, b).or_else(|| solved(pool, b, a));
        list.extend(found.filter(|(func, _)| list.iter().all(|(other, _)| other != func)));
    }
    list
}

/// The symbol that is one side of an equation or a summand of it, and what it has to be.
fn solved(pool: &mut TermPool, side: TermId, other: TermId) -> Option<(FuncId, TermId)> {
    let summands = match pool.op(side) {
        Op::BvAdd => pool.args(side).to_vec(),
        _ => vec![side],
    };
    summands.iter().enumerate().find_map(|(at, &summand)| {
        let Op::Apply(func) = pool.op(summand) else { return None };
        let mut rest = summands.clone();
        rest.remove(at);
        let mentioned = pool.reachable(&[rest.as_slice(), &[other]].concat());
        if !pool.args(summand).is_empty() || mentioned.contains(&summand) {
            return None;
        }
        let value = rest.iter().fold(other, |value, &part| pool.bits().sub(value, part));
        Some((func, value))
    })
}

/// A sequence of numbers that is the same every time.
struct Draw {
    state: u64,
}

impl Draw {
    fn below(&mut self, most: u64) -> u128 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        u128::from((mixed ^ (mixed >> 31)) % most)
    }

    /// A small number: ids are smaller than sizes, and arguments larger.
    fn small(&mut self, name: &str) -> u128 {
        if name.contains("Idx") {
            self.below(3)
        } else if name.contains("Dim") || name.starts_with("size") {
            // Grids are often large enough for all there is to do.
            let most = if self.below(3) == 0 { 32 } else { 4 };
            1 + self.below(most)
        } else if name.starts_with("arg") {
            let most = if self.below(2) == 0 { 8 } else { 30 };
            1 + self.below(most)
        } else {
            self.below(4)
        }
    }
}
