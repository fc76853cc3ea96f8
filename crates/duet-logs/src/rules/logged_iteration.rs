//! *loggedIteration*: what is logged is what some access of the loop does in some iteration.
//!
//! The log remembers the iteration in which it was written (for invariants only), so that
//! this needs no quantifier: the logged offset is the one that the access computes from the
//! remembered parameters, the branches on the way to it went there, and the loops'
//! invariants hold of these parameters. It is not among the paper's rules, whose statements
//! about offsets (r0 to r3) it implies where the offset is a function of the parameters.

use super::LogRule;
use crate::statement::Statement;

/// The rule.
pub(crate) const RULE: LogRule = LogRule {
    name: "loggedIteration",
    number: None,
    guess: |input| {
        let facts = input.lockstep.setting.facts;
        let mut found = vec![];
        for key in input.keys() {
            found.push(Statement::Logged(key));
            if !input.logs(key) {
                continue;
            }
            for invariant in input.lockstep.invariants {
                let Statement::Own(expr) = &invariant.statement else { continue };
                let header = facts.loops.data(invariant.id).header;
                let is_inside = facts.loops.contains(input.id, header);
                let has_site = input.lockstep.sites.iter().any(|site| {
                    let block = facts.block_of(site.inst);
                    site.key == key
                        && block.is_some_and(|block| facts.loops.contains(invariant.id, block))
                });
                if is_inside && has_site {
                    found.push(Statement::LoggedOwn(key, invariant.id, expr.clone()));
                }
            }
        }
        found
    },
};
