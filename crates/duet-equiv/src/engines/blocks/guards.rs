//! Conditions in a canonical form: ordered decision diagrams over comparisons.
//!
//! Paths split and meet again, and whether all of a thread gets to a barrier is a question
//! about conditions. In a diagram with sharing, equal functions of the same comparisons are
//! the same node. Conditional values are diagrams too, with terms as leaves, so the same
//! value under the same conditions is one term.
//!
//! The lesser and the greater of two integers are leaves where that is asked for: a sorting
//! network as a diagram has a node for every order of its inputs. Both are functions of their
//! operands alone, so a term for each is sound wherever it stands; that the function is the
//! minimum is known to [`super::sums`] only.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use duet_smt::{Op, TermId, TermPool};

use super::ranges::Sums;
use super::sums::least;
use super::whole::Closed;

/// A condition: a node of the table. 0 is false, 1 is true.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Guard(u32);

impl Guard {
    /// Never.
    pub const FALSE: Guard = Guard(0);
    /// Always.
    pub const TRUE: Guard = Guard(1);
}

/// A node: which comparison, and what holds if it is false or true.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Node {
    var: u32,
    low: Guard,
    high: Guard,
}

/// The table of conditions.
#[derive(Debug)]
pub struct Guards {
    nodes: Vec<Node>,
    unique: HashMap<Node, Guard>,
    /// Comparisons, in the order of the diagrams.
    vars: Vec<TermId>,
    var_of: HashMap<TermId, u32>,
    /// Is the lesser of two integers a leaf?
    pub has_least: bool,
    /// Sums over ranges that loops of either side left.
    pub sums: Sums,
    /// What is summed, with its symbols renamed.
    pub(super) closed: HashMap<(TermId, TermId), Rc<Closed>>,
    /// May ranges be moved, so that they begin at a number?
    pub moves_ranges: bool,
    /// What was assumed of ranges.
    pub assumed: BTreeSet<String>,
    ite_cache: HashMap<(Guard, Guard, Guard), Guard>,
    select_cache: HashMap<(Guard, TermId, TermId), TermId>,
}

/// Above every comparison.
const NO_VAR: u32 = u32::MAX;

impl Default for Guards {
    fn default() -> Guards {
        let leaf = |value| Node { var: NO_VAR, low: Guard(value), high: Guard(value) };
        Guards {
            nodes: vec![leaf(0), leaf(1)],
            unique: HashMap::new(),
            vars: vec![],
            var_of: HashMap::new(),
            has_least: false,
            sums: Sums::new(),
            closed: HashMap::new(),
            moves_ranges: false,
            assumed: BTreeSet::new(),
            ite_cache: HashMap::new(),
            select_cache: HashMap::new(),
        }
    }
}

impl Guards {
    fn node(&mut self, var: u32, low: Guard, high: Guard) -> Guard {
        if low == high {
            return low;
        }
        let node = Node { var, low, high };
        if let Some(&known) = self.unique.get(&node) {
            return known;
        }
        let guard = Guard(self.nodes.len() as u32);
        self.nodes.push(node);
        self.unique.insert(node, guard);
        guard
    }

    /// The condition that a truth-valued term states.
    pub fn of(&mut self, pool: &mut TermPool, term: TermId) -> Guard {
        let args = pool.args(term).to_vec();
        match pool.op(term) {
            Op::True => Guard::TRUE,
            Op::False => Guard::FALSE,
            Op::And => args.iter().fold(Guard::TRUE, |all, &arg| {
                let own = self.of(pool, arg);
                self.and(all, own)
            }),
            Op::Or => args.iter().fold(Guard::FALSE, |all, &arg| {
                let own = self.of(pool, arg);
                self.or(all, own)
            }),
            _ => self.comparison(pool, term),
        }
    }

    /// A comparison and its negation are one variable.
    fn comparison(&mut self, pool: &mut TermPool, term: TermId) -> Guard {
        let negated = pool.not(term);
        let (var, is_negated) = if negated < term { (negated, true) } else { (term, false) };
        let number = match self.var_of.get(&var) {
            Some(&number) => number,
            None => {
                let number = self.vars.len() as u32;
                self.vars.push(var);
                self.var_of.insert(var, number);
                number
            }
        };
        match is_negated {
            true => self.node(number, Guard::TRUE, Guard::FALSE),
            false => self.node(number, Guard::FALSE, Guard::TRUE),
        }
    }

    fn var(&self, guard: Guard) -> u32 {
        self.nodes[guard.0 as usize].var
    }

    fn branches(&self, guard: Guard, var: u32) -> (Guard, Guard) {
        let node = self.nodes[guard.0 as usize];
        if node.var == var { (node.low, node.high) } else { (guard, guard) }
    }

    /// `cond ? then : other`.
    pub fn ite(&mut self, cond: Guard, then: Guard, other: Guard) -> Guard {
        match cond {
            Guard::TRUE => return then,
            Guard::FALSE => return other,
            _ if then == other => return then,
            _ => {}
        }
        if let Some(&known) = self.ite_cache.get(&(cond, then, other)) {
            return known;
        }
        let var = self.var(cond).min(self.var(then)).min(self.var(other));
        let (c0, c1) = self.branches(cond, var);
        let (t0, t1) = self.branches(then, var);
        let (o0, o1) = self.branches(other, var);
        let (low, high) = (self.ite(c0, t0, o0), self.ite(c1, t1, o1));
        let result = self.node(var, low, high);
        self.ite_cache.insert((cond, then, other), result);
        result
    }

    /// Both.
    pub fn and(&mut self, a: Guard, b: Guard) -> Guard {
        self.ite(a, b, Guard::FALSE)
    }

    /// Either.
    pub fn or(&mut self, a: Guard, b: Guard) -> Guard {
        self.ite(a, Guard::TRUE, b)
    }

    /// Not.
    pub fn not(&mut self, a: Guard) -> Guard {
        self.ite(a, Guard::FALSE, Guard::TRUE)
    }

    /// The condition as a term.
    pub fn term(&self, pool: &mut TermPool, guard: Guard) -> TermId {
        match guard {
            Guard::TRUE => return pool.tt(),
            Guard::FALSE => return pool.ff(),
            _ => {}
        }
        let node = self.nodes[guard.0 as usize];
        let var = self.vars[node.var as usize];
        let (low, high) = (self.term(pool, node.low), self.term(pool, node.high));
        let not_var = pool.not(var);
        let (yes, no) = (pool.and2(var, high), pool.and2(not_var, low));
        pool.or2(yes, no)
    }

    /// `guard ? then : other`, as a diagram over the comparisons.
    pub fn select(
        &mut self,
        pool: &mut TermPool,
        guard: Guard,
        then: TermId,
        other: TermId,
    ) -> TermId {
        match guard {
            Guard::TRUE => return then,
            Guard::FALSE => return other,
            _ if then == other => return then,
            _ => {}
        }
        if let Some(&known) = self.select_cache.get(&(guard, then, other)) {
            return known;
        }
        if let Some(leaf) = self.leaf(pool, guard, then, other) {
            self.select_cache.insert((guard, then, other), leaf);
            return leaf;
        }
        let of_then = self.value_var(pool, then);
        let of_other = self.value_var(pool, other);
        let var = self.var(guard).min(of_then).min(of_other);
        let (g0, g1) = self.branches(guard, var);
        let (t0, t1) = value_branches(pool, then, of_then == var);
        let (o0, o1) = value_branches(pool, other, of_other == var);
        let low = self.select(pool, g0, t0, o0);
        let high = self.select(pool, g1, t1, o1);
        let cond = self.vars[var as usize];
        // As it is: a rewritten conditional would not be seen as one.
        let result = if low == high { low } else { pool.raw(Op::Ite, &[cond, high, low]) };
        self.select_cache.insert((guard, then, other), result);
        result
    }

    /// A value where a condition is known to hold.
    pub fn given(&mut self, pool: &mut TermPool, holds: Guard, value: TermId) -> TermId {
        let var = self.value_var(pool, value);
        if var == NO_VAR {
            return value;
        }
        let own = self.node(var, Guard::FALSE, Guard::TRUE);
        let (then, other) = (pool.args(value)[1], pool.args(value)[2]);
        let not_own = self.not(own);
        let (yes, no) = (self.and(holds, own), self.and(holds, not_own));
        match (yes, no) {
            (Guard::FALSE, _) => self.given(pool, no, other),
            (_, Guard::FALSE) => self.given(pool, yes, then),
            _ => {
                let then = self.given(pool, yes, then);
                let other = self.given(pool, no, other);
                self.select(pool, own, then, other)
            }
        }
    }

    /// The lesser or the greater of two integers, if a condition chooses it.
    ///
    /// SOUNDNESS: only if the condition compares just these two (test
    /// `minima_of_many_in_any_order`).
    fn leaf(
        &self,
        pool: &mut TermPool,
        guard: Guard,
        then: TermId,
        other: TermId,
    ) -> Option<TermId> {
        let node = self.nodes[guard.0 as usize];
        let cond = *self.vars.get(node.var as usize)?;
        let args = match (node.low, node.high) {
            _ if !self.has_least => return None,
            (Guard::FALSE, Guard::TRUE) => [cond, then, other],
            (Guard::TRUE, Guard::FALSE) => [cond, other, then],
            _ => return None,
        };
        least(pool, &args)
    }

    /// The comparison that a conditional value begins with.
    fn value_var(&self, pool: &TermPool, value: TermId) -> u32 {
        match pool.op(value) {
            Op::Ite => self.var_of.get(&pool.args(value)[0]).copied().unwrap_or(NO_VAR),
            _ => NO_VAR,
        }
    }
}

/// What a conditional value is if its comparison is false or true.
fn value_branches(pool: &TermPool, value: TermId, is_top: bool) -> (TermId, TermId) {
    match is_top {
        true => (pool.args(value)[2], pool.args(value)[1]),
        false => (value, value),
    }
}

#[cfg(test)]
mod tests {
    use super::{Guard, Guards};
    use duet_smt::TermPool;

    #[test]
    fn paths_that_meet_again_are_the_whole() {
        let (mut pool, mut guards) = (TermPool::new(), Guards::default());
        let (x, y, n) = (pool.bv_var("x", 32), pool.bv_var("y", 32), pool.bv_var("n", 32));
        let (c, d) = (pool.compare().ult(x, n), pool.compare().ult(y, n));
        let (c, d) = (guards.of(&mut pool, c), guards.of(&mut pool, d));
        // if (c && d) ... : the ways round it are !c, and c with !d.
        let both = guards.and(c, d);
        let (not_c, not_d) = (guards.not(c), guards.not(d));
        let second = guards.and(c, not_d);
        let around = guards.or(not_c, second);
        assert_eq!(guards.or(both, around), Guard::TRUE);
        assert_eq!(guards.and(both, around), Guard::FALSE);
        let (v, w) = (pool.bv_var("v", 32), pool.bv_var("w", 32));
        let inner = guards.select(&mut pool, both, v, w);
        // Under both, the inner one is v.
        let (outer, plain) =
            (guards.select(&mut pool, both, inner, x), guards.select(&mut pool, both, v, x));
        assert_eq!(outer, plain);
    }

    #[test]
    fn a_negated_comparison_is_no_new_one() {
        let (mut pool, mut guards) = (TermPool::new(), Guards::default());
        let (x, n) = (pool.bv_var("x", 32), pool.bv_var("n", 32));
        let (less, not_less) = (pool.compare().ult(x, n), pool.compare().ule(n, x));
        let (a, b) = (guards.of(&mut pool, less), guards.of(&mut pool, not_less));
        assert_eq!(guards.not(a), b);
    }
}
