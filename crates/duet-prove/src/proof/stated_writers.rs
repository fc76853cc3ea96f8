//! Writers that the contract names: `writer a[j] : P` says which thread writes `a[j]`, by
//! equations of its ids.
//!
//! They are proposals as those of the inversion are, for indices that depend on data. Nothing
//! follows from them: that the thread is in the launch, gets to a store, and that its index is the
//! cell, is shown (kernels/prove/traps/71-wrong-writer).

use duet_ir::{Dim, GeometryKind};
use duet_parametric::writer::{Digit, Sought, inverses};
use duet_smt::TermId;
use duet_spec::{BinaryOp, ClauseKind, Expr, ExprKind};

use super::Prover;
use super::clauses::Variables;
use super::elements::element;
use super::spec_terms::SpecTerm;
use super::writers::{Place, known_digits};
use crate::contract::Named;

/// Finds the threads that the contract names with a prover.
pub struct StatedWriters<'p, 's, 'f>(pub &'p mut Prover<'s, 'f>);

works_on_prover!(StatedWriters);

impl StatedWriters<'_, '_, '_> {
    /// The threads that the contract names for a cell: values of all ids.
    pub fn stated_writers(
        &mut self,
        place: &Place,
        hypotheses: &[TermId],
    ) -> Vec<Vec<(TermId, TermId)>> {
        let bound = self.bound;
        let mut found = vec![];
        for clause in &bound.contract().clauses {
            let ClauseKind::Writer(cell, pred) = &clause.kind else { continue };
            let is_own = matches!(bound.names.get(&cell.array), Some(Named::Array(array, _)) if *array == place.array);
            let ExprKind::Name(index) = &cell.from.kind else { continue };
            if is_own {
                let kept = std::mem::take(&mut self.sides);
                found.extend(self.stated_writer(place, index, pred, hypotheses));
                self.sides = kept;
            }
        }
        found
    }

    fn stated_writer(
        &mut self,
        place: &Place,
        index: &str,
        pred: &Expr,
        hypotheses: &[TermId],
    ) -> Option<Vec<(TermId, TermId)>> {
        let size = self.walked.facts().module.arrays[place.array].granule;
        let element = element(&mut self.walked.walker.pool, place.offset, size)?;
        let mut variables = self.id_variables();
        variables.push((index.to_string(), SpecTerm::Int(element, (-(1 << 60), 1 << 60))));
        let mut ids = self.walked.ids(false);
        if place.block.is_none() {
            ids.extend(self.walked.ids(true));
        }
        let mut fixed: Vec<(TermId, TermId)> = vec![];
        for conjunct in pred.conjuncts() {
            let ExprKind::Binary(BinaryOp::Eq, a, b) = &conjunct.kind else { continue };
            let made = self.with_cells(&variables, true, |terms| {
                Ok((terms.integer(a)?.0, terms.integer(b)?.0))
            });
            let ((a, b), _) = made.ok()?;
            let open: Vec<Digit> = ids
                .iter()
                .filter(|(id, _)| fixed.iter().all(|one| one.0 != *id))
                .map(|&(symbol, size)| Digit { symbol, below: Some(size) })
                .collect();
            let pool = &self.walked.walker.pool;
            let speaks = |term: TermId| {
                let parts = pool.reachable(&[term]);
                open.iter().any(|digit| parts.contains(&digit.symbol))
            };
            let (offset, value) = match (speaks(a), speaks(b)) {
                (true, false) => (a, b),
                (false, true) => (b, a),
                (true, true) | (false, false) => continue,
            };
            let known = known_digits(pool, hypotheses);
            let sought =
                Sought { place: value, offset, unknowns: &open, fixed: &fixed, known: &known };
            let inverse = inverses(&mut self.walked.walker.pool, &sought).into_iter().next()?;
            let parts = self.walked.walker.pool.reachable(&[offset]);
            fixed.extend(inverse.values.into_iter().filter(|one| parts.contains(&one.0)));
        }
        ids.iter().all(|(id, _)| fixed.iter().any(|one| one.0 == *id)).then_some(fixed)
    }

    /// The ids of the formal thread by their names.
    fn id_variables(&mut self) -> Variables {
        let mut variables: Variables = vec![];
        let names: Vec<(String, Named)> =
            self.bound.names.iter().map(|(name, named)| (name.clone(), *named)).collect();
        for (name, named) in names {
            let term = match named {
                Named::Id(id) if id.kind == GeometryKind::ThreadId => {
                    self.walked.thread.thread[id.dim.index()]
                }
                Named::Id(id) => self.walked.thread.block[id.dim.index()],
                Named::GlobalId(dim) => self.id_along(dim),
                Named::Argument(..)
                | Named::Constant(..)
                | Named::Size(_)
                | Named::Along(_)
                | Named::Array(..) => continue,
            };
            let pool = &mut self.walked.walker.pool;
            let wide = pool.bits().zext_or_trunc(term, 64);
            variables.push((name, SpecTerm::Int(wide, (0, 1 << 62))));
        }
        variables
    }

    /// `block · size + thread`, in 64 bits.
    fn id_along(&mut self, dim: Dim) -> TermId {
        let index = dim.index();
        let parts = [
            self.walked.thread.block[index],
            self.walked.walker.geometry.block[index],
            self.walked.thread.thread[index],
        ];
        let pool = &mut self.walked.walker.pool;
        let wide = parts.map(|part| pool.bits().zext_or_trunc(part, 64));
        let first = pool.bits().mul(wide[0], wide[1]);
        pool.bits().add(first, wide[2])
    }
}
