//! Case splits over enumerated states.
//!
//! An invariant that lists the states of a loop's counters is a disjunction of
//! conjunctions of equalities with constants. With the counters constant, index
//! arithmetic such as `offset * (2 * tid + 1) - 1` is linear, and most questions are
//! decided by the simplifier and the algebra; all states at once can be beyond a
//! solver.
//!
//! *Why it is sound.* A case is the facts with one disjunct of a disjunction that is
//! among them. Every model of the facts is a model of some case; a case is dropped
//! only if it simplifies to false.

use duet_smt::{Op, TermId, TermPool, simplify_conjunction};

/// Cases after which no disjunction is split any more.
const MAX_CASES: usize = 200;

/// What to add to the facts, case by case. One empty case if there is nothing to
/// split.
pub fn cases(pool: &mut TermPool, facts: &[TermId]) -> Vec<Vec<TermId>> {
    let mut done: Vec<Vec<TermId>> = vec![];
    let mut open: Vec<Vec<TermId>> = vec![vec![]];
    while let Some(case) = open.pop() {
        let mut literals = facts.to_vec();
        literals.extend(&case);
        let simple = simplify_conjunction(pool, &literals);
        if simple.iter().any(|&literal| pool.as_bool(literal) == Some(false)) {
            continue;
        }
        let states = simple.iter().find(|&&literal| lists_states(pool, literal));
        match states.filter(|_| open.len() + done.len() < MAX_CASES) {
            Some(&states) => {
                for &state in pool.args(states) {
                    let mut further = case.clone();
                    further.push(state);
                    open.push(further);
                }
            }
            None => done.push(case),
        }
    }
    done
}

/// Is there a disjunction of states to split?
pub fn has_cases(pool: &mut TermPool, facts: &[TermId]) -> bool {
    let simple = simplify_conjunction(pool, facts);
    simple.iter().any(|&literal| lists_states(pool, literal))
}

/// A disjunction of conjunctions of equalities with constants.
// A form is recognised: any other operator is none.
#[allow(clippy::wildcard_enum_match_arm)]
fn lists_states(pool: &TermPool, literal: TermId) -> bool {
    let is_pinned = |&term: &TermId| {
        pool.op(term) == Op::Eq
            && pool.args(term).iter().any(|&side| matches!(pool.op(side), Op::BvConst { .. }))
    };
    let is_state = |&term: &TermId| match pool.op(term) {
        Op::And => pool.args(term).iter().all(is_pinned),
        _ => is_pinned(&term),
    };
    pool.op(literal) == Op::Or && pool.args(literal).iter().all(is_state)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_disjunctions_of_equalities_with_constants_are_split() {
        let mut pool = TermPool::new();
        let (x, y) = (pool.bv_var("x", 32), pool.bv_var("y", 32));
        let (one, two) = (pool.bv(32, 1), pool.bv(32, 2));
        let (a, b, c) = (pool.eq(x, one), pool.eq(y, two), pool.eq(x, two));
        let pair = pool.and2(a, b);
        let states = pool.or2(pair, c);
        assert!(lists_states(&pool, states));
        assert!(!lists_states(&pool, pair));
        let open = pool.eq(x, y);
        let mixed = pool.or2(open, pair);
        assert!(!lists_states(&pool, mixed));
    }
}
