//! Questions that do not depend on what memory holds.
//!
//! Claims bring many facts about contents, and laws of sums with them. Most races have nothing
//! to do with either: where no condition and no place of a question mentions contents, it is
//! asked without them first. With less given, fewer questions are proved and none wrongly.
//!
//! In the way down of Blelloch's scan of flags, for every power of two, a race takes z3 0.03 to
//! 0.1 s so, and 0.3 s for each state of the counters otherwise.

use std::collections::HashSet;

use duet_ask::{Effort, Question};
use duet_smt::solver::SolverError;
use duet_smt::{Op, TermId, TermPool};

use crate::check::Check;

/// The terms below some that depend on contents: what was read, and functions of that.
pub(crate) fn of_contents(pool: &TermPool, roots: &[TermId]) -> HashSet<TermId> {
    let mut found = HashSet::new();
    for term in pool.reachable(roots) {
        let args = pool.args(term);
        let op = pool.op(term);
        let reads = op == Op::Select || matches!(op, Op::Apply(_)) && !args.is_empty();
        if reads || args.iter().any(|arg| found.contains(arg)) {
            found.insert(term);
        }
    }
    found
}

/// Is the question proved without what is known of contents?
pub(crate) fn is_shown_without(
    check: &mut Check<'_, '_>,
    question: &Question<'_>,
) -> Result<bool, SolverError> {
    if check.facts.claims.in_force.is_empty() || check.asker.trace.only_written {
        return Ok(false);
    }
    let found = of_contents(&check.walker.pool, &question.literals());
    let mut asked = question.when.iter().chain(&question.goal);
    let is_left_out = |term: &&TermId| found.contains(term);
    if asked.any(|term| found.contains(term)) || !question.given.iter().any(|it| is_left_out(&it)) {
        return Ok(false);
    }
    let given = question.given.iter().filter(|it| !is_left_out(it)).copied().collect();
    let less = Question { given, effort: Effort::Small, ..question.clone() };
    Ok(check.asker.ask(&mut check.walker, &less)?.open().is_none())
}
