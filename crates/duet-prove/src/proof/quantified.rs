//! Preconditions with `\forall`, instantiated where cells are read.
//!
//! `\forall int j; G ==> E` in `requires` is true of every j. It is stated of the index of each
//! read of initial contents in a question, for arrays that the precondition reads at a bound
//! variable itself (`a[j]`); other variables of the same quantifier take the indices of their own
//! arrays. Reads in instances lead to instances once more.
//!
//! Which instances are made is a guess; each follows from the contract, where the numbers in it
//! fit, which is a premise of the instance.
//!
//! SOUNDNESS: of initial contents only (kernels/prove/traps/11-initial-contents).

use std::collections::BTreeSet;

use duet_smt::{Op, TermId};
use duet_spec::{Expr, ExprKind, Quantifier};

use super::Prover;
use super::clauses::Variables;
use super::elements::element;
use super::spec_terms::{SpecTerm, has_division};
use crate::contract::Named;

/// Bound variables are at most so large in instances, either way.
const LARGEST: i128 = 1 << 40;
/// Instances of one precondition in one question.
const INSTANCES: usize = 12;

/// A precondition with variables.
#[derive(Clone, Debug)]
pub struct Quantified {
    /// The variables, of 64 bits.
    variables: Vec<TermId>,
    /// Initial contents that are read at a variable: the contents, which variable, and the bytes
    /// of an element.
    triggers: Vec<(TermId, usize, u32)>,
    /// What is true for all values of the variables.
    fact: TermId,
}

/// States preconditions with variables, and their instances, with a prover.
pub struct Preconditions<'p, 's, 'f>(pub &'p mut Prover<'s, 'f>);

works_on_prover!(Preconditions);

impl Preconditions<'_, '_, '_> {
    /// The preconditions with variables that can be stated.
    pub fn quantified_requires(&mut self) -> Vec<Quantified> {
        let bound = self.bound;
        let all = bound.requires().flat_map(Expr::conjuncts);
        all.filter_map(|pred| self.quantified(pred)).collect()
    }

    fn quantified(&mut self, pred: &Expr) -> Option<Quantified> {
        let ExprKind::Quantified(Quantifier::Forall, binders, body) = &pred.kind else {
            return None;
        };
        let (mut variables, mut named): (Vec<TermId>, Variables) = (vec![], vec![]);
        let mut premises = vec![];
        for binder in binders {
            let pool = &mut self.walked.walker.pool;
            let term = pool.fresh(&binder.name, duet_smt::Sort::BitVec(64));
            let least = if binder.unsigned { 0 } else { -LARGEST };
            let (low, high) = (pool.bv(64, least as u128), pool.bv(64, LARGEST as u128));
            premises.push(pool.compare().sle(low, term));
            premises.push(pool.compare().sle(term, high));
            variables.push(term);
            named.push((binder.name.clone(), SpecTerm::Int(term, (-LARGEST, LARGEST))));
        }
        // What a division by zero yields is one unknown, which instances would share.
        if has_division(body) {
            return None;
        }
        let folds = self.folds.len();
        let made = self.with_cells(&named, true, |terms| terms.truth(body));
        let sides = std::mem::take(&mut self.sides);
        // SOUNDNESS: a sum is one symbol, which would be the same in all instances
        // (kernels/prove/traps/77-sums-in-instances).
        let has_sums = self.folds.len() > folds;
        self.folds.truncate(folds);
        let (fact, _) = made.ok().filter(|_| !has_sums)?;
        premises.extend(sides);
        let mut triggers = vec![];
        for (number, binder) in binders.iter().enumerate() {
            self.find_triggers(body, &binder.name, number, &mut triggers);
        }
        let has = |number: usize| triggers.iter().any(|one: &(TermId, usize, u32)| one.1 == number);
        if !(0..variables.len()).all(has) {
            return None;
        }
        let pool = &mut self.walked.walker.pool;
        let premise = pool.and(&premises);
        let fact = pool.implies(premise, fact);
        Some(Quantified { variables, triggers, fact })
    }

    /// Arrays that are read at the variable itself.
    fn find_triggers(
        &self,
        expr: &Expr,
        name: &str,
        number: usize,
        found: &mut Vec<(TermId, usize, u32)>,
    ) {
        if let ExprKind::Index(array, index) = &expr.kind
            && let (ExprKind::Name(array), ExprKind::Name(index)) = (&array.kind, &index.kind)
            && index == name
            && let Some(&Named::Array(array, ty)) = self.bound.names.get(array)
            && let Some(&contents) = self.walked.walk.initial.arrays.get(&array)
            && !found.contains(&(contents, number, ty.bytes()))
        {
            found.push((contents, number, ty.bytes()));
        }
        for child in expr.children() {
            self.find_triggers(child, name, number, found);
        }
    }

    /// The instances for the reads that occur in a question.
    pub fn instances(&mut self, literals: &[TermId]) -> Vec<TermId> {
        let mut found: Vec<TermId> = vec![];
        for _ in 0..2 {
            let all: Vec<TermId> = literals.iter().chain(&found).copied().collect();
            let pool = &self.walked.walker.pool;
            let reads: BTreeSet<(TermId, TermId)> = pool
                .reachable(&all)
                .into_iter()
                .filter(|&term| pool.op(term) == Op::Select)
                .map(|term| (pool.args(term)[0], pool.args(term)[1]))
                .collect();
            for one in self.quantified.clone() {
                for fact in self.instances_of(&one, &reads) {
                    if !found.contains(&fact) {
                        found.push(fact);
                    }
                }
            }
        }
        found
    }

    fn instances_of(
        &mut self,
        one: &Quantified,
        reads: &BTreeSet<(TermId, TermId)>,
    ) -> Vec<TermId> {
        let mut ways: Vec<Vec<TermId>> = vec![vec![]];
        for number in 0..one.variables.len() {
            let mut values = vec![];
            for &(contents, _, size) in one.triggers.iter().filter(|one| one.1 == number) {
                for &(_, offset) in reads.iter().filter(|read| read.0 == contents) {
                    values.extend(element(&mut self.walked.walker.pool, offset, size));
                }
            }
            values.sort();
            values.dedup();
            ways = ways
                .into_iter()
                .flat_map(|way| {
                    let more = |&value: &TermId| way.iter().copied().chain([value]).collect();
                    values.iter().map(more).collect::<Vec<_>>()
                })
                .take(INSTANCES)
                .collect();
        }
        let pool = &mut self.walked.walker.pool;
        ways.into_iter()
            .map(|way| {
                pool.rebuild(&[one.fact], |_, term, _| {
                    let number = one.variables.iter().position(|&variable| variable == term)?;
                    Some(way[number])
                })[0]
            })
            .collect()
    }
}
