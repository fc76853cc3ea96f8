//! Statements about a header as terms.

use std::collections::HashMap;

use duet_analysis::Loop;
use duet_ir::Value;
use duet_smt::{TermId, TermPool};

use super::loops::Headers;
use super::values::Values;
use crate::ops;
use crate::statement::{Candidate, Expr};
use crate::walk::HeaderTerm;

impl Headers<'_> {
    /// The candidate for these parameters; `None` if it cannot be expressed.
    pub(super) fn candidate(
        &mut self,
        values: &mut Values,
        candidate: &Candidate,
        header: &HeaderTerm,
        params: &[TermId],
    ) -> Option<TermId> {
        self.expr(values, &candidate.expr, header, params)
    }

    /// An expression at a header, for these parameters.
    pub(super) fn expr(
        &mut self,
        values: &mut Values,
        expr: &Expr,
        header: &HeaderTerm,
        params: &[TermId],
    ) -> Option<TermId> {
        let here = std::mem::replace(&mut values.node, header.node);
        let term = self.expr_here(values, expr, header, params);
        values.node = here;
        term
    }

    fn expr_here(
        &mut self,
        values: &mut Values,
        expr: &Expr,
        header: &HeaderTerm,
        params: &[TermId],
    ) -> Option<TermId> {
        Some(match expr {
            Expr::Param(index) => *params.get(*index)?,
            Expr::Initial(index) => *header.initial.get(*index)?,
            Expr::Value(value) => self.value_before(values, header.id, *value)?,
            Expr::Visits => match self.visits_on_edge {
                Some(visits) => visits,
                None => values.visits(header.id),
            },
            Expr::Geometry(kind, dim) => values.kernel.geometry.term(values.thread, *kind, *dim),
            Expr::Const { bits, ty } => ops::constant(values.pool, *bits, *ty),
            Expr::Binary { op, args, ty } => {
                let [a, b] = self.both(values, args, header, params)?;
                ops::binary(values.pool, *op, a, b, *ty)
            }
            Expr::Cast { op, arg, from, to } => {
                let arg = self.expr_here(values, arg, header, params)?;
                ops::cast(values.pool, *op, arg, *from, *to)
            }
            Expr::Compare { cc, args } => {
                let [a, b] = self.both(values, args, header, params)?;
                ops::compare(values.pool, *cc, a, b)
            }
            Expr::All(parts) => {
                let parts = self.each(values, parts, header, params)?;
                values.pool.and(&parts)
            }
            Expr::Any(parts) => {
                let parts = self.each(values, parts, header, params)?;
                values.pool.or(&parts)
            }
            Expr::Not(part) => {
                let part = self.expr_here(values, part, header, params)?;
                values.pool.not(part)
            }
            Expr::AtMostOneBit(arg) => {
                let arg = self.expr_here(values, arg, header, params)?;
                at_most_one_bit(values.pool, arg)
            }
            Expr::InHeader { value, params: given } => {
                let given = self.each(values, given, header, params)?;
                let given: Vec<Option<TermId>> = given.into_iter().map(Some).collect();
                self.in_header(values, header, *value, &given)?
            }
        })
    }

    fn both(
        &mut self,
        values: &mut Values,
        args: &[Expr; 2],
        header: &HeaderTerm,
        params: &[TermId],
    ) -> Option<[TermId; 2]> {
        Some([
            self.expr_here(values, &args[0], header, params)?,
            self.expr_here(values, &args[1], header, params)?,
        ])
    }

    fn each(
        &mut self,
        values: &mut Values,
        parts: &[Expr],
        header: &HeaderTerm,
        params: &[TermId],
    ) -> Option<Vec<TermId>> {
        parts.iter().map(|part| self.expr_here(values, part, header, params)).collect()
    }

    /// SOUNDNESS: a value of the loop itself is another one at the next visit; a
    /// statement about it would say nothing of that (test
    /// `values_of_the_loop_are_not_expressible`).
    fn value_before(&mut self, values: &mut Values, id: Loop, value: Value) -> Option<TermId> {
        let before = values.view(id).is_before(value);
        before.then(|| values.term(value))
    }

    /// What the header's instructions make of a value for these parameters, as far as they
    /// are given.
    pub(super) fn in_header(
        &mut self,
        values: &mut Values,
        header: &HeaderTerm,
        value: Value,
        params: &[Option<TermId>],
    ) -> Option<TermId> {
        let ty = values.kernel.func.type_of(value);
        if let Some(bits) = values.kernel.func.const_bits(value) {
            return Some(ops::constant(values.pool, bits, ty));
        }
        self.evaluate_header(values, header, params).get(&value).copied()
    }

    /// Evaluates the header's block with other parameters: the terms of its pure
    /// instructions, as far as they can be told.
    fn evaluate_header(
        &mut self,
        values: &mut Values,
        header: &HeaderTerm,
        params: &[Option<TermId>],
    ) -> HashMap<Value, TermId> {
        let block = values.region.nodes[header.node].block;
        let context = values.context();
        let func = values.kernel.func;
        let mut saved: Vec<(Value, Option<TermId>)> = vec![];
        let mut result = HashMap::new();
        let mut set = |values: &mut Values, value: Value, term: TermId| {
            saved.push((value, values.walk.values.insert((context, value), term)));
        };
        let mut unknown: Vec<Value> = vec![];
        for (&param, &term) in func.blocks[block].params.iter().zip(params) {
            match term {
                Some(term) => {
                    set(values, param, term);
                    result.insert(param, term);
                }
                None => unknown.push(param),
            }
        }
        for &inst in &func.blocks[block].insts {
            let data = &func.insts[inst];
            let known = data.values().iter().all(|value| !unknown.contains(value));
            let term =
                (known && data.is_computation()).then(|| values.pure_term(inst, data)).flatten();
            match (term, &func.results_of[inst][..]) {
                (Some(term), [value]) => {
                    set(values, *value, term);
                    result.insert(*value, term);
                }
                (_, values) => unknown.extend(values),
            }
        }
        for (value, old) in saved.into_iter().rev() {
            match old {
                Some(term) => values.walk.values.insert((context, value), term),
                None => values.walk.values.remove(&(context, value)),
            };
        }
        result
    }
}

fn at_most_one_bit(pool: &mut TermPool, term: TermId) -> TermId {
    let width = pool.width(term);
    let (one, zero) = (pool.bv(width, 1), pool.bv(width, 0));
    let less = pool.bits().sub(term, one);
    let both = pool.bits().and(term, less);
    pool.eq(both, zero)
}
