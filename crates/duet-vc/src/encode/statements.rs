//! Statements about a header as terms.

use std::collections::HashMap;

use duet_analysis::Loop;
use duet_ir::Value;
use duet_smt::TermId;

use super::Encoder;
use crate::ops;
use crate::statement::{Candidate, Expr};
use crate::walk::HeaderTerm;

impl Encoder<'_> {
    /// The candidate for these parameters; `None` if it cannot be expressed.
    pub(super) fn candidate(
        &mut self,
        candidate: &Candidate,
        header: &HeaderTerm,
        params: &[TermId],
    ) -> Option<TermId> {
        self.expr(&candidate.expr, header, params)
    }

    /// An expression at a header, for these parameters.
    pub(super) fn expr(
        &mut self,
        expr: &Expr,
        header: &HeaderTerm,
        params: &[TermId],
    ) -> Option<TermId> {
        let here = std::mem::replace(&mut self.node, header.node);
        let term = self.expr_here(expr, header, params);
        self.node = here;
        term
    }

    fn expr_here(&mut self, expr: &Expr, header: &HeaderTerm, params: &[TermId]) -> Option<TermId> {
        Some(match expr {
            Expr::Param(index) => *params.get(*index)?,
            Expr::Initial(index) => *header.initial.get(*index)?,
            Expr::Value(value) => self.value_before(header.id, *value)?,
            Expr::Visits => match self.visits_on_edge {
                Some(visits) => visits,
                None => self.visits(header.id),
            },
            Expr::Geometry(kind, dim) => self.kernel.geometry.term(self.thread, *kind, *dim),
            Expr::Const { bits, ty } => ops::constant(self.pool, *bits, *ty),
            Expr::Binary { op, args, ty } => {
                let [a, b] = self.both(args, header, params)?;
                ops::binary(self.pool, *op, a, b, *ty)
            }
            Expr::Cast { op, arg, from, to } => {
                let arg = self.expr_here(arg, header, params)?;
                ops::cast(self.pool, *op, arg, *from, *to)
            }
            Expr::Compare { cc, args } => {
                let [a, b] = self.both(args, header, params)?;
                ops::compare(self.pool, *cc, a, b)
            }
            Expr::All(parts) => {
                let parts = self.each(parts, header, params)?;
                self.pool.and(&parts)
            }
            Expr::Any(parts) => {
                let parts = self.each(parts, header, params)?;
                self.pool.or(&parts)
            }
            Expr::Not(part) => {
                let part = self.expr_here(part, header, params)?;
                self.pool.not(part)
            }
            Expr::AtMostOneBit(arg) => {
                let arg = self.expr_here(arg, header, params)?;
                self.at_most_one_bit(arg)
            }
            Expr::InHeader { value, params: given } => {
                let given = self.each(given, header, params)?;
                self.in_header(header, *value, &given)?
            }
        })
    }

    fn both(
        &mut self,
        args: &[Expr; 2],
        header: &HeaderTerm,
        params: &[TermId],
    ) -> Option<[TermId; 2]> {
        Some([self.expr_here(&args[0], header, params)?, self.expr_here(&args[1], header, params)?])
    }

    fn each(
        &mut self,
        parts: &[Expr],
        header: &HeaderTerm,
        params: &[TermId],
    ) -> Option<Vec<TermId>> {
        parts.iter().map(|part| self.expr_here(part, header, params)).collect()
    }

    /// SOUNDNESS: a value of the loop itself is another one at the next visit; a
    /// statement about it would say nothing of that (test
    /// `values_of_the_loop_are_not_expressible`).
    fn value_before(&mut self, id: Loop, value: Value) -> Option<TermId> {
        let before = self.view(id).is_before(value);
        before.then(|| self.term(value))
    }

    fn at_most_one_bit(&mut self, term: TermId) -> TermId {
        let width = self.pool.width(term);
        let (one, zero) = (self.pool.bv(width, 1), self.pool.bv(width, 0));
        let less = self.pool.bv_sub(term, one);
        let both = self.pool.bv_and(term, less);
        self.pool.eq(both, zero)
    }

    fn in_header(
        &mut self,
        header: &HeaderTerm,
        value: Value,
        params: &[TermId],
    ) -> Option<TermId> {
        let ty = self.kernel.func.type_of(value);
        if let Some(bits) = self.kernel.func.const_bits(value) {
            return Some(ops::constant(self.pool, bits, ty));
        }
        self.evaluate_header(header, params).get(&value).copied()
    }

    /// Evaluates the header's block with other parameters: the terms of its pure
    /// instructions, as far as they can be told.
    fn evaluate_header(
        &mut self,
        header: &HeaderTerm,
        params: &[TermId],
    ) -> HashMap<Value, TermId> {
        let block = self.region.nodes[header.node].block;
        let context = self.context();
        let func = self.kernel.func;
        let mut saved: Vec<(Value, Option<TermId>)> = vec![];
        let mut result = HashMap::new();
        let mut set = |this: &mut Self, value: Value, term: TermId| {
            saved.push((value, this.walk.values.insert((context, value), term)));
        };
        for (&param, &term) in func.blocks[block].params.iter().zip(params) {
            set(self, param, term);
            result.insert(param, term);
        }
        let mut unknown: Vec<Value> = vec![];
        for &inst in &func.blocks[block].insts {
            let data = &func.insts[inst];
            let known = data.values().iter().all(|value| !unknown.contains(value));
            let term =
                (known && data.is_computation()).then(|| self.pure_term(inst, data)).flatten();
            match (term, &func.results_of[inst][..]) {
                (Some(term), [value]) => {
                    set(self, *value, term);
                    result.insert(*value, term);
                }
                (_, values) => unknown.extend(values),
            }
        }
        for (value, old) in saved.into_iter().rev() {
            match old {
                Some(term) => self.walk.values.insert((context, value), term),
                None => self.walk.values.remove(&(context, value)),
            };
        }
        result
    }
}
