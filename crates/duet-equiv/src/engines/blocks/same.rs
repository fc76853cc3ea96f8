//! Are two values the same? Sums may be, in any order, and so may operations on them: the mean
//! of what one kernel sums up in one way and the other in another.
//!
//! *Why it is sound.* Equal operations on equal operands are equal, and so are sums of the same
//! summands under the same conditions, where their order does not matter.

use std::collections::BTreeMap;

use duet_smt::{Op, TermId, TermPool};

use super::guards::Guards;
use super::ranges::put_together;
use super::sums::{Adder, normal};
use crate::pair::request::FloatModel;

/// Pairs of parts that are compared.
const MOST_PAIRS: usize = 2000;

/// Are two values shown to be the same?
pub(super) fn are_same(
    (pool, guards): (&mut TermPool, &mut Guards),
    values: [TermId; 2],
    float: FloatModel,
    is_float: bool,
) -> bool {
    if values[0] == values[1] {
        return true;
    }
    let values = values.map(|value| normal(pool, value, float));
    let mut same = Same { pool, guards, float, known: BTreeMap::new() };
    same.holds(values, is_float)
}

struct Same<'a> {
    pool: &'a mut TermPool,
    guards: &'a mut Guards,
    float: FloatModel,
    known: BTreeMap<[TermId; 2], bool>,
}

impl Same<'_> {
    fn holds(&mut self, values: [TermId; 2], is_float: bool) -> bool {
        if values[0] == values[1] {
            return true;
        }
        if let Some(&known) = self.known.get(&values) {
            return known;
        }
        if self.known.len() > MOST_PAIRS {
            return false;
        }
        let holds = self.are_sums(values, is_float) || self.have_same_parts(values);
        self.known.insert(values, holds);
        holds
    }

    /// Are both sums of the same summands?
    fn are_sums(&mut self, values: [TermId; 2], is_float: bool) -> bool {
        let mut adder = Adder::new(self.pool, self.guards, self.float, is_float);
        let [Some(a), Some(b)] = values.map(|value| adder.summands(value)) else { return false };
        a == b
            || put_together(self.pool, self.guards, &a) == put_together(self.pool, self.guards, &b)
    }

    /// Are both the same operation on the same?
    ///
    /// SOUNDNESS: the whole operation, with its operands in their places (test
    /// `a_mean_of_other_sums`).
    fn have_same_parts(&mut self, values: [TermId; 2]) -> bool {
        let [a, b] = values;
        let (x, y) = (self.pool.args(a).to_vec(), self.pool.args(b).to_vec());
        if self.pool.op(a) != self.pool.op(b) || x.len() != y.len() || x.is_empty() {
            return false;
        }
        x.into_iter().zip(y).all(|(x, y)| {
            let is_float = self.are_floats([x, y]);
            self.holds([x, y], is_float)
        })
    }

    /// Is one of the parts a sum of floats, and neither a number, which may be anything?
    ///
    /// SOUNDNESS: a zero with a sign is neutral among floats alone (test
    /// `a_mean_of_other_sums`).
    fn are_floats(&self, values: [TermId; 2]) -> bool {
        let is_sum = |value: TermId| match self.pool.op(value) {
            Op::Apply(func) => self.pool.func_data(func).name.starts_with("fadd.op("),
            _ => false,
        };
        values.into_iter().any(is_sum)
            && values.into_iter().all(|value| self.pool.as_bv(value).is_none())
    }
}
