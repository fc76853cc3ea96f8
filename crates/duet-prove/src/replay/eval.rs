//! The evaluator of contracts over concrete memory. It shares nothing with the terms of
//! the proof: it is their judge.
//!
//! Three values: what cannot be computed is unknown, and refutes nothing.

use std::cell::Cell;
use std::collections::BTreeMap;

use duet_ir::{Array, ScalarType};
use duet_spec::{
    BinaryOp, Bounds, Expr, ExprKind, Fold, Logic, Quantifier, Type, UnaryOp, bounds_of,
};

use super::value::Val;

/// Nested calls of functions of contracts.
const DEPTH: u32 = 400;

/// What a contract is evaluated over.
pub trait World {
    /// The value of a name.
    fn name(&self, name: &str) -> Val;
    /// All threads of the launch.
    fn threads(&self) -> i128;
    /// A cell of an array, initially or finally.
    fn cell(&self, array: Array, ty: ScalarType, index: i128, initial: bool) -> Val;
}

/// Evaluates expressions over a world.
pub struct Evaluator<'a, W> {
    world: &'a W,
    logic: &'a BTreeMap<&'a str, &'a Logic>,
    /// Instances that may still be looked at.
    left: Cell<u64>,
    depth: Cell<u32>,
    /// The guard of a quantifier was true for some value.
    guard_met: Cell<bool>,
}

/// Variables in scope, and which state cells are read in.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// Bound variables.
    pub variables: Vec<(String, Val)>,
    /// Cells are the initial ones.
    pub initial: bool,
}

/// An instance of a predicate that is false: variables, what was compared, and the values.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Counterexample {
    /// The bound variables.
    pub variables: Vec<(String, i128)>,
    /// What was compared, with both values.
    pub compared: Option<(String, Val, String, Val)>,
    /// The cell on the left, as array and index, if it is one.
    pub cell: Option<(Array, ScalarType, i128)>,
}

impl<'a, W: World> Evaluator<'a, W> {
    /// With a bound on the number of instances.
    pub fn new(world: &'a W, logic: &'a BTreeMap<&'a str, &'a Logic>, most: u64) -> Self {
        Evaluator {
            world,
            logic,
            left: Cell::new(most),
            depth: Cell::new(0),
            guard_met: Cell::new(false),
        }
    }

    /// Is the predicate true, if that can be told?
    pub fn holds(&self, pred: &Expr, initial: bool) -> Option<bool> {
        self.truth(pred, &mut Scope { variables: vec![], initial })
    }

    /// Did a guard of a quantifier hold for some value since this was asked last?
    pub fn take_guard_met(&self) -> bool {
        self.guard_met.take()
    }

    fn truth(&self, expr: &Expr, scope: &mut Scope) -> Option<bool> {
        self.eval(expr, scope).truth()
    }

    /// The value of an expression.
    pub fn eval(&self, expr: &Expr, scope: &mut Scope) -> Val {
        match &expr.kind {
            ExprKind::Int(number) => Val::Int(*number),
            ExprKind::Float(number, true) => Val::Float(*number as f32),
            ExprKind::Float(number, false) => Val::Double(*number),
            ExprKind::Name(name) => self.name(name, scope),
            ExprKind::Threads => Val::Int(self.world.threads()),
            ExprKind::Index(array, index) => {
                match (self.eval(array, scope), self.eval(index, scope)) {
                    (Val::Array(array, ty), Val::Int(index)) => {
                        self.world.cell(array, ty, index, scope.initial)
                    }
                    _ => Val::Unknown,
                }
            }
            ExprKind::Call(name, args) => self.call(name, args, scope),
            ExprKind::Unary(op, arg) => {
                let value = self.eval(arg, scope);
                match op {
                    UnaryOp::Minus => value.negated(),
                    UnaryOp::Complement => {
                        value.int().map_or(Val::Unknown, |number| Val::Int(!number))
                    }
                    UnaryOp::Not => Val::of_bool(value.truth().map(|truth| !truth)),
                }
            }
            ExprKind::Binary(op, a, b) if op.is_logical() => {
                Val::of_bool(self.logical(*op, a, b, scope))
            }
            ExprKind::Binary(op, a, b) => {
                let left = self.eval(a, scope);
                left.binary(*op, self.eval(b, scope))
            }
            ExprKind::Conditional(cond, a, b) => match self.truth(cond, scope) {
                // The type is that of both branches together.
                Some(true) => converted_like(self.eval(a, scope), self.like(b, scope)),
                Some(false) => converted_like(self.eval(b, scope), self.like(a, scope)),
                None => Val::Unknown,
            },
            ExprKind::Cast(ty, arg) => self.eval(arg, scope).cast(*ty),
            ExprKind::Old(arg) => {
                let before = std::mem::replace(&mut scope.initial, true);
                let value = self.eval(arg, scope);
                scope.initial = before;
                value
            }
            ExprKind::Quantified(which, binders, body) => {
                let bounds = bounds_of(*which, binders, body);
                let names: Vec<&str> = binders.iter().map(|one| one.name.as_str()).collect();
                Val::of_bool(self.quantified(*which, &names, &bounds, body, scope).0)
            }
            ExprKind::Fold(fold, binder, from, to, body) => {
                match (self.eval(from, scope), self.eval(to, scope)) {
                    (Val::Int(from), Val::Int(to)) => {
                        self.fold(*fold, &binder.name, (from, to), body, scope)
                    }
                    _ => Val::Unknown,
                }
            }
            ExprKind::Pow2(arg) => match self.eval(arg, scope) {
                Val::Int(number @ 0..=126) => Val::Int(1 << number),
                Val::Int(_) | Val::Float(_) | Val::Double(_) | Val::Array(..) | Val::Unknown => {
                    Val::Unknown
                }
            },
            ExprKind::IsPow2(arg) => match self.eval(arg, scope) {
                Val::Int(number) => Val::Int(i128::from(number > 0 && number & (number - 1) == 0)),
                Val::Float(_) | Val::Double(_) | Val::Array(..) | Val::Unknown => Val::Unknown,
            },
        }
    }

    fn name(&self, name: &str, scope: &Scope) -> Val {
        let bound = scope.variables.iter().rev().find(|(own, _)| own == name);
        bound.map_or_else(|| self.world.name(name), |(_, value)| *value)
    }

    fn logical(&self, op: BinaryOp, a: &Expr, b: &Expr, scope: &mut Scope) -> Option<bool> {
        let first = self.truth(a, scope);
        let stops = match op {
            BinaryOp::And => Some(false),
            BinaryOp::Or => Some(true),
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::Div
            | BinaryOp::Rem
            | BinaryOp::Shl
            | BinaryOp::Shr
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor
            | BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge
            | BinaryOp::Implies => None,
        };
        if stops.is_some() && first == stops {
            return first;
        }
        if op == BinaryOp::Implies && first == Some(false) {
            return Some(true);
        }
        let second = self.truth(b, scope);
        match (op, first, second) {
            (BinaryOp::And, Some(_), other) | (BinaryOp::Or, Some(_), other) => other,
            (BinaryOp::And, None, Some(false)) => Some(false),
            (BinaryOp::Or, None, Some(true)) => Some(true),
            (BinaryOp::Implies, Some(true), other) => other,
            (BinaryOp::Implies, None, Some(true)) => Some(true),
            _ => None,
        }
    }

    /// The truth of a quantifier, and the instance that decides it.
    fn quantified(
        &self,
        which: Quantifier,
        names: &[&str],
        bounds: &[Bounds<'_>],
        body: &Expr,
        scope: &mut Scope,
    ) -> (Option<bool>, Vec<(String, i128)>) {
        let Some((name, rest)) = names.split_first() else {
            let truth = self.truth(body, scope);
            if which == Quantifier::Forall && self.guard_holds(body, scope) {
                self.guard_met.set(true);
            }
            return (truth, vec![]);
        };
        let Some((from, to)) = self.range(&bounds[0], scope) else { return (None, vec![]) };
        let decides = which == Quantifier::Exists;
        let mut result = Some(!decides);
        for value in from..=to {
            if self.left.get() == 0 {
                return (None, vec![]);
            }
            self.left.set(self.left.get() - 1);
            scope.variables.push((name.to_string(), Val::Int(value)));
            let (truth, mut instance) = self.quantified(which, rest, &bounds[1..], body, scope);
            scope.variables.pop();
            if truth == Some(decides) {
                instance.insert(0, (name.to_string(), value));
                return (truth, instance);
            }
            if truth.is_none() {
                result = None;
            }
        }
        (result, vec![])
    }

    /// Is what the quantifier says claimed of this instance?
    fn guard_holds(&self, body: &Expr, scope: &mut Scope) -> bool {
        match &body.kind {
            ExprKind::Binary(BinaryOp::Implies, guard, then) => {
                self.truth(guard, scope) == Some(true) && self.guard_holds(then, scope)
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
            | ExprKind::IsPow2(_) => true,
        }
    }

    /// The values from the first to the last that the bounds leave.
    fn range(&self, bounds: &Bounds<'_>, scope: &mut Scope) -> Option<(i128, i128)> {
        let mut from: Option<i128> = bounds.not_negative.then_some(0);
        for (bound, strict) in &bounds.from {
            let least = self.eval(bound, scope).int()? + i128::from(*strict);
            from = Some(from.map_or(least, |from| from.max(least)));
        }
        let mut to: Option<i128> = None;
        for (bound, strict) in &bounds.to {
            let most = self.eval(bound, scope).int()? - i128::from(*strict);
            to = Some(to.map_or(most, |to| to.min(most)));
        }
        Some((from?, to?))
    }

    fn fold(
        &self,
        fold: Fold,
        name: &str,
        (from, to): (i128, i128),
        body: &Expr,
        scope: &mut Scope,
    ) -> Val {
        let mut result: Option<Val> = None;
        for value in from..to {
            if self.left.get() == 0 {
                return Val::Unknown;
            }
            self.left.set(self.left.get() - 1);
            scope.variables.push((name.to_string(), Val::Int(value)));
            let one = self.eval(body, scope);
            scope.variables.pop();
            result = Some(match (fold, result) {
                (Fold::Sum, None) => zero_like(one).binary(BinaryOp::Add, one),
                (Fold::Prod, None) => one_like(one).binary(BinaryOp::Mul, one),
                (Fold::Sum, Some(so_far)) => so_far.binary(BinaryOp::Add, one),
                (Fold::Prod, Some(so_far)) => so_far.binary(BinaryOp::Mul, one),
                (Fold::Count, so_far) => match one.truth() {
                    Some(truth) => {
                        so_far.unwrap_or(Val::Int(0)).binary(BinaryOp::Add, Val::Int(truth.into()))
                    }
                    None => Val::Unknown,
                },
                (Fold::Min | Fold::Max, None) => one,
                (Fold::Min, Some(so_far)) => pick(so_far, one, |a, b| a.min(b)),
                (Fold::Max, Some(so_far)) => pick(so_far, one, |a, b| a.max(b)),
            });
        }
        let mut empty = || match fold {
            Fold::Count => Val::Int(0),
            Fold::Sum => self.neutral(body, name, from, scope, 0),
            Fold::Prod => self.neutral(body, name, from, scope, 1),
            Fold::Min | Fold::Max => Val::Unknown,
        };
        result.unwrap_or_else(&mut empty)
    }

    /// 0 or 1 of the body's type.
    fn neutral(&self, body: &Expr, name: &str, at: i128, scope: &mut Scope, number: i128) -> Val {
        scope.variables.push((name.to_string(), Val::Int(at)));
        let like = self.like(body, scope);
        scope.variables.pop();
        converted_like(Val::Int(number), like)
    }

    /// Some value of the type that an expression has.
    fn like(&self, expr: &Expr, scope: &mut Scope) -> Val {
        match &expr.kind {
            ExprKind::Float(..) | ExprKind::Name(_) => self.eval(expr, scope),
            ExprKind::Index(array, _) => match self.eval(array, scope) {
                Val::Array(_, ty) => {
                    Val::Int(0).cast(if ty.is_float() { ty } else { ScalarType::Int })
                }
                Val::Int(_) | Val::Float(_) | Val::Double(_) | Val::Unknown => Val::Unknown,
            },
            ExprKind::Call(name, _) => match self.logic.get(name.as_str()) {
                Some(logic) => as_type(Val::Int(0), logic.result),
                None => Val::Unknown,
            },
            ExprKind::Unary(UnaryOp::Minus, arg) | ExprKind::Old(arg) => self.like(arg, scope),
            ExprKind::Binary(
                BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div,
                a,
                b,
            )
            | ExprKind::Conditional(_, a, b) => {
                converted_like(self.like(a, scope), self.like(b, scope))
            }
            ExprKind::Cast(ty, _) => {
                Val::Int(0).cast(if ty.is_float() { *ty } else { ScalarType::Int })
            }
            ExprKind::Fold(_, binder, from, _, body) => {
                let first = self.eval(from, scope);
                scope.variables.push((binder.name.clone(), first));
                let value = self.like(body, scope);
                scope.variables.pop();
                value
            }
            ExprKind::Int(_)
            | ExprKind::Threads
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Quantified(..)
            | ExprKind::Pow2(_)
            | ExprKind::IsPow2(_) => Val::Int(0),
        }
    }

    fn call(&self, name: &str, args: &[Expr], scope: &mut Scope) -> Val {
        let Some(logic) = self.logic.get(name) else { return self.library(name, args, scope) };
        if self.depth.get() >= DEPTH || self.left.get() == 0 {
            return Val::Unknown;
        }
        self.left.set(self.left.get() - 1);
        let mut inner = Scope { variables: vec![], initial: scope.initial };
        for (param, arg) in logic.params.iter().zip(args) {
            let value = as_type(self.eval(arg, scope), param.ty);
            inner.variables.push((param.name.clone(), value));
        }
        self.depth.set(self.depth.get() + 1);
        let value = self.eval(&logic.body, &mut inner);
        self.depth.set(self.depth.get() - 1);
        as_type(value, logic.result)
    }

    /// A function of the language. What the mathematical library yields is not known: no run
    /// refutes by it.
    fn library(&self, name: &str, args: &[Expr], scope: &mut Scope) -> Val {
        let values: Vec<Val> = args.iter().map(|arg| self.eval(arg, scope)).collect();
        match (name, &values[..]) {
            ("min", [Val::Int(a), Val::Int(b)]) => Val::Int(*a.min(b)),
            ("max", [Val::Int(a), Val::Int(b)]) => Val::Int(*a.max(b)),
            ("abs", [Val::Int(a)]) => Val::Int(a.abs()),
            _ => Val::Unknown,
        }
    }

    /// The instance by which a predicate is false.
    pub fn counterexample(&self, pred: &Expr, scope: &mut Scope) -> Counterexample {
        match &pred.kind {
            ExprKind::Quantified(which, binders, body) => {
                let bounds = bounds_of(*which, binders, body);
                let names: Vec<&str> = binders.iter().map(|one| one.name.as_str()).collect();
                let (_, found) = self.quantified(*which, &names, &bounds, body, scope);
                let count = found.len();
                let values = found.iter().map(|(name, value)| (name.clone(), Val::Int(*value)));
                scope.variables.extend(values);
                let mut inner = self.counterexample(body, scope);
                scope.variables.truncate(scope.variables.len() - count);
                inner.variables.splice(0..0, found);
                inner
            }
            ExprKind::Binary(BinaryOp::Implies, _, then) => self.counterexample(then, scope),
            ExprKind::Binary(BinaryOp::And, a, b) => match self.truth(a, scope) {
                Some(false) => self.counterexample(a, scope),
                _ => self.counterexample(b, scope),
            },
            ExprKind::Binary(op, a, b) if op.is_relation() => {
                let (left, right) = (self.eval(a, scope), self.eval(b, scope));
                let compared = Some((a.to_string(), left, b.to_string(), right));
                let cell = [a, b].into_iter().find_map(|side| self.cell(side, scope));
                Counterexample { compared, cell, ..Counterexample::default() }
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
            | ExprKind::Fold(..)
            | ExprKind::Pow2(_)
            | ExprKind::IsPow2(_) => Counterexample::default(),
        }
    }

    /// The final cell that an expression is.
    fn cell(&self, expr: &Expr, scope: &mut Scope) -> Option<(Array, ScalarType, i128)> {
        let ExprKind::Index(array, index) = &expr.kind else { return None };
        match (self.eval(array, scope), self.eval(index, scope)) {
            (Val::Array(array, ty), Val::Int(index)) => Some((array, ty, index)),
            _ => None,
        }
    }
}

fn pick(a: Val, b: Val, choose: impl Fn(i128, i128) -> i128) -> Val {
    match (a, b) {
        (Val::Int(a), Val::Int(b)) => Val::Int(choose(a, b)),
        _ => Val::Unknown,
    }
}

fn zero_like(value: Val) -> Val {
    match value {
        Val::Float(_) => Val::Float(0.0),
        Val::Double(_) => Val::Double(0.0),
        Val::Int(_) | Val::Array(..) | Val::Unknown => Val::Int(0),
    }
}

fn one_like(value: Val) -> Val {
    match value {
        Val::Float(_) => Val::Float(1.0),
        Val::Double(_) => Val::Double(1.0),
        Val::Int(_) | Val::Array(..) | Val::Unknown => Val::Int(1),
    }
}

/// A value in the type that C gives it beside another.
fn converted_like(value: Val, other: Val) -> Val {
    match other {
        Val::Double(_) => value.cast(ScalarType::Double),
        Val::Float(_) if matches!(value, Val::Int(_)) => value.cast(ScalarType::Float),
        Val::Int(_) | Val::Float(_) | Val::Array(..) | Val::Unknown => value,
    }
}

/// A value as a parameter or result of a function: integers stay as they are.
fn as_type(value: Val, ty: Type) -> Val {
    match ty {
        Type::Float => value.cast(ScalarType::Float),
        Type::Double => value.cast(ScalarType::Double),
        Type::Bool | Type::Int | Type::Array(_) => value,
    }
}
