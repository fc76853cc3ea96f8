//! Goals that a small example contradicts are not worth a question.
//!
//! Most proposals for a writer are wrong, and a solver takes long to say so where sizes are
//! free. A few assignments of small numbers, chosen by the names of symbols so that ids are
//! often below sizes, show it at once.
//!
//! SOUNDNESS: an example only ends an attempt; nothing is shown by it.

use duet_smt::{FuncId, Model, Op, Sort, TermId, TermPool, Value, eval, holds};

/// Assignments that are tried.
const TRIALS: u64 = 60;

/// Does an assignment satisfy all literals? One of them is looked at first: as the negation of a
/// goal that holds it is hardly ever satisfied.
pub(super) fn has_example(pool: &TermPool, literals: &[TermId], first: TermId) -> bool {
    let symbols = symbols(pool, literals);
    let equations = equations(pool, literals);
    (0..TRIALS).any(|trial| {
        let mut draw = Draw { state: trial };
        let mut model = Model::new();
        for &(func, sort) in &symbols {
            if let Sort::BitVec(width) = sort {
                let small = draw.small(&pool.func_data(func).name);
                model.set(func, Value::bv(width, small));
            }
        }
        for &(func, value) in &equations {
            if let Ok(value) = eval(pool, &model, value) {
                model.set(func, value);
            }
        }
        holds(pool, &model, &[first]) && holds(pool, &model, literals)
    })
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

/// Symbols that a fact says the value of.
fn equations(pool: &TermPool, facts: &[TermId]) -> Vec<(FuncId, TermId)> {
    let mut list = vec![];
    for &fact in facts.iter().filter(|&&fact| pool.op(fact) == Op::Eq) {
        let [a, b] = [pool.args(fact)[0], pool.args(fact)[1]];
        for (symbol, value) in [(a, b), (b, a)] {
            if let Op::Apply(func) = pool.op(symbol)
                && pool.args(symbol).is_empty()
                && !pool.reachable(&[value]).contains(&symbol)
            {
                list.push((func, value));
                break;
            }
        }
    }
    list
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
            1 + self.below(4)
        } else if name.starts_with("arg") {
            let most = if self.below(2) == 0 { 8 } else { 30 };
            1 + self.below(most)
        } else {
            self.below(4)
        }
    }
}
