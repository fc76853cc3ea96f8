//! Loops of steps in time, whose invariant the user does not write: after k iterations a cell
//! holds what a function of the contract that calls itself yields for k.
//!
//! The claim `\forall int x; G ==> A[e] == u(T, …)` of the contract is restated with the loop's
//! count for the argument of `u` that falls: of each array that the loop writes, and of each two
//! of them by turns, the one after an even number of iterations and the other after an odd one.
//!
//! SOUNDNESS: such a guess is a fact only once it was shown as a user's condition would be
//! (kernels/prove/traps/20-parity, kernels/prove/time-loop-inferred-wrong).

use std::collections::BTreeMap;

use duet_ir::{Array, ScalarType};
use duet_smt::solver::SolverError;
use duet_spec::{BinaryOp, Expr, ExprKind, Quantifier, Span};
use duet_vc::HeaderTerm;

use crate::contract::{Named, NamedAtLoop};
use crate::proof::clauses::{Clauses, Stop};
use crate::proof::loops::invariants::{Invariants, Stated};
use crate::proof::spec_terms::{falling, is_recursive};

/// Names of the arrays in restated claims, which no source has.
const ARRAYS: [&str; 2] = ["the array", "the other array"];
/// Arrays that are tried by turns.
const MOST_ARRAYS: usize = 3;

impl Invariants<'_, '_, '_> {
    /// Looks for such invariants at loops at which the contract says nothing of cells.
    pub(in crate::proof) fn find_steps(&mut self) -> Result<(), SolverError> {
        let bound = self.bound;
        let mut claims = vec![];
        for (_, pred) in bound.ensures() {
            if let Some(claim) = self.restated(pred)
                && !claims.contains(&claim)
            {
                claims.push(claim);
            }
        }
        for header in self.walked.walk.headers.clone() {
            let is_stated = self.head_facts.iter().any(|fact| fact.is_at(header.id));
            if is_stated || !self.walked.cuts.aligned.contains(&header.id) {
                continue;
            }
            'claims: for (claim, ty) in &claims {
                for arrays in self.turns(&header, *ty) {
                    if self.is_kept_by(&header, claim, (&arrays, *ty))? {
                        continue 'claims;
                    }
                }
            }
        }
        Ok(())
    }

    /// The claim with the loop's count for the argument that falls, and the type of the cells.
    fn restated(&self, pred: &Expr) -> Option<(Expr, ScalarType)> {
        let made = |kind| Expr { kind, span: pred.span };
        match &pred.kind {
            ExprKind::Quantified(Quantifier::Forall, binders, body) => {
                let (body, ty) = self.restated(body)?;
                let kind =
                    ExprKind::Quantified(Quantifier::Forall, binders.clone(), Box::new(body));
                Some((made(kind), ty))
            }
            ExprKind::Binary(BinaryOp::Implies, guard, then) => {
                let (inner, ty) = self.restated(then)?;
                // What is said of the number of steps is not said of each.
                if matches!(inner.kind, ExprKind::Quantified(..)) {
                    return Some((inner, ty));
                }
                let both = (guard.clone(), Box::new(inner));
                Some((made(ExprKind::Binary(BinaryOp::Implies, both.0, both.1)), ty))
            }
            ExprKind::Binary(BinaryOp::Eq, a, b) => {
                let (ExprKind::Index(array, index), ExprKind::Call(name, args)) =
                    (&a.kind, &b.kind)
                else {
                    return None;
                };
                let ExprKind::Name(array) = &array.kind else { return None };
                let Some(&Named::Array(_, ty)) = self.bound.names.get(array) else { return None };
                let all = self.bound.logic();
                let logic = *all.get(name.as_str()).filter(|logic| is_recursive(logic))?;
                let mut args = args.clone();
                args[falling(logic)?].kind = ExprKind::Name("loop_count".to_string());
                let cell = ExprKind::Index(Box::new(named(ARRAYS[0])), index.clone());
                let call = ExprKind::Call(name.clone(), args);
                let kind =
                    ExprKind::Binary(BinaryOp::Eq, Box::new(made(cell)), Box::new(made(call)));
                Some((made(kind), ty))
            }
            ExprKind::Int(_)
            | ExprKind::Float(..)
            | ExprKind::Name(_)
            | ExprKind::Threads
            | ExprKind::Index(..)
            | ExprKind::Call(..)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Conditional(..)
            | ExprKind::Cast(..)
            | ExprKind::Old(_)
            | ExprKind::Quantified(..)
            | ExprKind::Fold(..)
            | ExprKind::Pow2(_)
            | ExprKind::IsPow2(_) => None,
        }
    }

    /// The arrays that a loop writes, alone and by turns.
    fn turns(&self, header: &HeaderTerm, ty: ScalarType) -> Vec<Vec<Array>> {
        let facts = self.walked.facts();
        let mut written: Vec<Array> = vec![];
        for site in self.walked.walk.sites.iter().filter(|site| site.writes) {
            let inside = facts
                .block_of(site.inst)
                .is_some_and(|block| facts.loops.contains(header.id, block));
            let is_cell = facts.module.arrays[site.array].granule == ty.bytes();
            if inside && is_cell && !written.contains(&site.array) {
                written.push(site.array);
            }
        }
        written.truncate(MOST_ARRAYS);
        let mut all: Vec<Vec<Array>> = written.iter().map(|&array| vec![array]).collect();
        for &even in &written {
            for &odd in written.iter().filter(|odd| **odd != even) {
                all.push(vec![even, odd]);
            }
        }
        all
    }

    /// Is the claim kept by the loop, of one array or of two by turns? Then it is a fact.
    fn is_kept_by(
        &mut self,
        header: &HeaderTerm,
        claim: &Expr,
        (arrays, ty): (&[Array], ScalarType),
    ) -> Result<bool, SolverError> {
        let mut names: BTreeMap<String, NamedAtLoop> = BTreeMap::new();
        for (name, &own) in &self.bound.names {
            if !matches!(own, Named::Id(_) | Named::GlobalId(_)) {
                names.insert(name.clone(), NamedAtLoop::Known(own));
            }
        }
        for (name, &array) in ARRAYS.iter().zip(arrays) {
            names.insert((*name).to_string(), NamedAtLoop::Known(Named::Array(array, ty)));
        }
        let conditions: Vec<Expr> = match arrays.len() {
            1 => vec![claim.clone()],
            _ => [0, 1].map(|rest| in_turn(claim, rest)).to_vec(),
        };
        let stated = Stated {
            header: header.clone(),
            names: &names,
            conditions: conditions.iter().collect(),
            place: None,
        };
        let before = self.head_facts.len();
        self.make_facts(&stated);
        let mut is_kept = self.head_facts.len() == before + conditions.len();
        for condition in &conditions {
            if !is_kept {
                break;
            }
            Clauses(self.0).begin_clause();
            match self.condition(&stated, condition) {
                Ok(()) => {}
                Err(Stop::Open(_)) => is_kept = false,
                Err(Stop::Solver(error)) => return Err(error),
            }
        }
        self.head = None;
        if !is_kept {
            self.head_facts.truncate(before);
        }
        Ok(is_kept)
    }
}

fn named(name: &str) -> Expr {
    Expr { kind: ExprKind::Name(name.to_string()), span: Span::default() }
}

/// `loop_count % 2 == rest ==> claim`, of the array whose turn it is.
fn in_turn(claim: &Expr, rest: usize) -> Expr {
    let made = |kind| Expr { kind, span: claim.span };
    let number = |number| Box::new(made(ExprKind::Int(number)));
    let count = Box::new(named("loop_count"));
    let left = made(ExprKind::Binary(BinaryOp::Rem, count, number(2)));
    let is_turn = made(ExprKind::Binary(BinaryOp::Eq, Box::new(left), number(rest as i128)));
    let claim = renamed(claim, ARRAYS[rest]);
    made(ExprKind::Binary(BinaryOp::Implies, Box::new(is_turn), Box::new(claim)))
}

/// A restated claim of another array.
fn renamed(claim: &Expr, array: &str) -> Expr {
    let mut claim = claim.clone();
    let mut at = &mut claim;
    loop {
        match &mut at.kind {
            ExprKind::Quantified(_, _, inner)
            | ExprKind::Binary(BinaryOp::Implies, _, inner)
            | ExprKind::Binary(BinaryOp::Eq, inner, _)
            | ExprKind::Index(inner, _) => at = inner,
            ExprKind::Name(name) => {
                *name = array.to_string();
                return claim;
            }
            ExprKind::Int(_)
            | ExprKind::Float(..)
            | ExprKind::Threads
            | ExprKind::Call(..)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Conditional(..)
            | ExprKind::Cast(..)
            | ExprKind::Old(_)
            | ExprKind::Fold(..)
            | ExprKind::Pow2(_)
            | ExprKind::IsPow2(_) => return claim,
        }
    }
}
