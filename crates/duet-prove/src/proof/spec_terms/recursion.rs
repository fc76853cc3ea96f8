//! Functions of contracts that call themselves.
//!
//! A call is an application of an unknown function of its arguments, one for each function,
//! state of the cells that it reads, and representation of its result. What the function is at
//! one argument, its body there, is stated when a proof asks for it
//! ([`Terms::body_of_call`]); calls in the body are applications again.
//!
//! Why that is sound: the contract's function is one interpretation of the unknown function,
//! provided there is such a function at all. There is if the recursion ends:
//! every call in the body has the same argument lessened by a number, and is made only where
//! that argument is at least some number ([`falling`]). So only functions of this form are
//! covered, and the value at each argument is then given by the body alone.
//!
//! A body reads initial contents, or arrays that are never written: the unknown function would
//! have to depend on the state otherwise.
//!
//! The result is a float, an integer that is known to fit a type of C because the body does if
//! the calls in it do, or an integer modulo 2^w below a conversion.
//!
//! The body is stated of arguments up to a limit, which is a premise where it is used. That a
//! result fits a type is taken for granted at every call, but shown of arguments up to the limit
//! only. So a call outside of such a function has it as a premise that its arguments keep to the
//! limit, and a call in the body may only pass on arguments that keep to it, but for the one that
//! falls to a small number.
//!
//! SOUNDNESS: a function whose recursion has no end may contradict itself, and everything would
//! follow (kernels/prove/traps/62-endless-recursion); what grows from call to call fits no type
//! (kernels/prove/traps/79-function-that-grows).

use std::collections::{BTreeMap, BTreeSet};

use duet_ir::ScalarType;
use duet_smt::{FuncId, Op, Sort, TermId};
use duet_spec::{BinaryOp, Expr, ExprKind, Logic, Type, UnaryOp};

use super::numbers::at_width;
use super::{Result, SpecTerm, Terms};
use crate::requires::range_of_type;

/// Arguments of calls are at most so large, either way.
const LARGEST: i128 = 1 << 40;
/// Numbers by which arguments fall, and to which they fall, are at most so large, so that an
/// argument that falls stays among those.
const MOST_FALL: i128 = 1 << 30;

/// What the unknown function of a call stands for.
#[derive(Clone, PartialEq, Debug)]
pub struct Recursion {
    /// The function of the contract.
    pub name: String,
    /// It reads initial contents.
    initial: bool,
    /// How its result is represented.
    yields: ScalarType,
    /// The result is taken modulo 2^w, w the width of that type.
    modular: bool,
}

/// Does the function call itself?
pub fn is_recursive(logic: &Logic) -> bool {
    calls(&logic.body, &logic.name)
}

/// Does no other function that it calls call it?
fn is_alone(all: &BTreeMap<&str, &Logic>, logic: &Logic) -> bool {
    let mut names = vec![];
    names_called(&logic.body, &mut names);
    let mut others = names.iter().filter(|name| **name != logic.name);
    others.all(|name| match all.get(name.as_str()) {
        Some(other) => !called(all, &other.body).contains(&logic.name),
        None => true,
    })
}

/// The functions that are called, by way of others too.
pub(super) fn called(all: &BTreeMap<&str, &Logic>, body: &Expr) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![];
    names_called(body, &mut open);
    while let Some(name) = open.pop() {
        if let Some(logic) = all.get(name.as_str())
            && found.insert(name)
        {
            names_called(&logic.body, &mut open);
        }
    }
    found
}

fn names_called(expr: &Expr, names: &mut Vec<String>) {
    if let ExprKind::Call(name, _) = &expr.kind {
        names.push(name.clone());
    }
    expr.children().into_iter().for_each(|child| names_called(child, names));
}

fn calls(expr: &Expr, name: &str) -> bool {
    let own = matches!(&expr.kind, ExprKind::Call(called, _) if called == name);
    own || expr.children().into_iter().any(|child| calls(child, name))
}

/// The argument that every call in the body lessens, where it is at least some number.
pub fn falling(logic: &Logic) -> Option<usize> {
    let is_integer = |number: &usize| {
        let own = &logic.params[*number];
        // A name that two parameters have is that of the second.
        let is_alone = logic.params.iter().filter(|param| param.name == own.name).count() == 1;
        own.ty == Type::Int && is_alone
    };
    let mut numbers = (0..logic.params.len()).filter(is_integer);
    numbers.find(|&number| falls_in(logic, number, &logic.body, false))
}

/// Does every call in the expression lessen the argument; is it bounded from below here?
fn falls_in(logic: &Logic, number: usize, expr: &Expr, bounded: bool) -> bool {
    let param = &logic.params[number].name;
    match &expr.kind {
        ExprKind::Call(name, args) => {
            let is_own = *name == logic.name;
            let falls = || args.get(number).is_some_and(|arg| is_less(arg, param));
            (!is_own || bounded && falls())
                && args.iter().all(|arg| falls_in(logic, number, arg, bounded))
        }
        ExprKind::Conditional(cond, then, otherwise) => {
            falls_in(logic, number, cond, bounded)
                && falls_in(logic, number, then, bounded || bounds(cond, param, true))
                && falls_in(logic, number, otherwise, bounded || bounds(cond, param, false))
        }
        // A name that the body binds anew may hide the parameter.
        ExprKind::Quantified(..) | ExprKind::Fold(..) => !calls(expr, &logic.name),
        ExprKind::Int(_)
        | ExprKind::Float(..)
        | ExprKind::Name(_)
        | ExprKind::Threads
        | ExprKind::Index(..)
        | ExprKind::Unary(..)
        | ExprKind::Binary(..)
        | ExprKind::Cast(..)
        | ExprKind::Old(_)
        | ExprKind::Pow2(_)
        | ExprKind::IsPow2(_) => {
            expr.children().into_iter().all(|child| falls_in(logic, number, child, bounded))
        }
    }
}

/// `param - number`, the number at least 1.
fn is_less(expr: &Expr, param: &str) -> bool {
    let ExprKind::Binary(BinaryOp::Sub, from, by) = &expr.kind else { return false };
    matches!(&from.kind, ExprKind::Name(name) if name == param)
        && matches!(by.kind, ExprKind::Int(number) if (1..=MOST_FALL).contains(&number))
}

/// Does the condition, being true or false, bound the parameter from below by a number?
fn bounds(cond: &Expr, param: &str, truth: bool) -> bool {
    match &cond.kind {
        ExprKind::Unary(UnaryOp::Not, inner) => bounds(inner, param, !truth),
        ExprKind::Binary(BinaryOp::And, a, b) if truth => {
            bounds(a, param, true) || bounds(b, param, true)
        }
        ExprKind::Binary(BinaryOp::Or, a, b) if !truth => {
            bounds(a, param, false) || bounds(b, param, false)
        }
        ExprKind::Binary(op, a, b) => {
            let is_param =
                |expr: &Expr| matches!(&expr.kind, ExprKind::Name(name) if name == param);
            let is_literal =
                |expr: &Expr| matches!(expr.kind, ExprKind::Int(number) if number <= MOST_FALL);
            let is_number = |expr: &Expr| {
                if let ExprKind::Unary(UnaryOp::Minus, inner) = &expr.kind {
                    return is_literal(inner);
                }
                is_literal(expr)
            };
            let (rises, falls) = match op {
                BinaryOp::Gt | BinaryOp::Ge => (truth, !truth),
                BinaryOp::Lt | BinaryOp::Le => (!truth, truth),
                BinaryOp::Eq => (truth, truth),
                BinaryOp::Ne => (!truth, !truth),
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
                | BinaryOp::And
                | BinaryOp::Or
                | BinaryOp::Implies => (false, false),
            };
            is_param(a) && is_number(b) && rises || is_number(a) && is_param(b) && falls
        }
        ExprKind::Int(_)
        | ExprKind::Float(..)
        | ExprKind::Name(_)
        | ExprKind::Threads
        | ExprKind::Index(..)
        | ExprKind::Call(..)
        | ExprKind::Unary(..)
        | ExprKind::Conditional(..)
        | ExprKind::Cast(..)
        | ExprKind::Old(_)
        | ExprKind::Quantified(..)
        | ExprKind::Fold(..)
        | ExprKind::Pow2(_)
        | ExprKind::IsPow2(_) => false,
    }
}

impl Terms<'_, '_> {
    /// A call of a function that calls itself; below a conversion modulo 2^w.
    pub(super) fn recursive_call(
        &mut self,
        logic: &Logic,
        args: Vec<SpecTerm>,
        cast: Option<ScalarType>,
    ) -> Result<SpecTerm> {
        let all = self.bound.logic();
        if !is_alone(&all, logic) {
            return Err(format!("`{}` and other functions call each other", logic.name));
        }
        if falling(logic).is_none() {
            return Err(format!(
                "no argument of `{}` falls to a bound with every call: write \
                 `k <= 0 ? … : {0}(k - 1, …)`",
                logic.name
            ));
        }
        let (yields, modular) = match (logic.result, cast) {
            (Type::Float, _) => (ScalarType::Float, false),
            (Type::Double, _) => (ScalarType::Double, false),
            _ => match (self.fitting(logic), cast) {
                (Some(ty), _) => (ty, false),
                (None, Some(ty)) => (ty, true),
                (None, None) => {
                    return Err(format!(
                        "`{0}` may yield any integer: state it as `(int){0}(…)`",
                        logic.name
                    ));
                }
            },
        };
        let what = Recursion { name: logic.name.clone(), initial: self.initial, yields, modular };
        // Is the body one that can be stated?
        let sample = logic.params.iter().map(|param| self.any_argument(param.ty)).collect();
        let sides = self.sides.len();
        self.body_as(logic, &what, sample)?;
        self.sides.truncate(sides);
        self.applied(what, &args, None)
    }

    /// The application of the unknown function, in its own body with the argument that falls.
    fn applied(
        &mut self,
        what: Recursion,
        args: &[SpecTerm],
        falling: Option<usize>,
    ) -> Result<SpecTerm> {
        let mut terms = vec![];
        for (number, arg) in args.iter().enumerate() {
            terms.push(match *arg {
                SpecTerm::Int(term, (low, high)) => {
                    // What a float or a number modulo 2^w is of other arguments is not stated.
                    let is_any = what.modular || what.yields.is_float();
                    let is_small = is_any || -LARGEST <= low && high <= LARGEST;
                    let is_own = falling.is_some();
                    if low < -2 * LARGEST
                        || high > 2 * LARGEST
                        || is_own && !is_small && falling != Some(number)
                    {
                        return Err(format!("an argument of `{}` may be too large", what.name));
                    }
                    let pool = &mut self.walker.pool;
                    let term = at_width(pool, term, 64);
                    if !is_own && !is_small {
                        let (least, most) =
                            (pool.bv(64, -LARGEST as u128), pool.bv(64, LARGEST as u128));
                        let keeps =
                            [pool.compare().sle(least, term), pool.compare().sle(term, most)];
                        self.sides.extend(keeps);
                    }
                    term
                }
                SpecTerm::Float(term, _) => term,
                SpecTerm::Bool(_) | SpecTerm::Array(..) => {
                    return Err(format!("this argument of `{}` is not covered", what.name));
                }
            });
        }
        let pool = &mut self.walker.pool;
        let sorts: Vec<Sort> = terms.iter().map(|&term| pool.sort(term)).collect();
        let state = if what.initial { "initial" } else { "constant" };
        let part = if what.modular { "modulo" } else { "value" };
        let name = format!("logic:{}:{state}:{part}:{}", what.name, what.yields.name());
        let func = pool.func(&name, &sorts, Sort::BitVec(8 * what.yields.bytes()));
        let term = pool.apply(func, &terms);
        let yields = what.yields;
        self.recursions.insert(func, what);
        self.of_bits(term, yields)
    }

    /// A type of C that holds all results: the body fits it if the calls in it do.
    fn fitting(&mut self, logic: &Logic) -> Option<ScalarType> {
        let all = [ScalarType::Int, ScalarType::UInt, ScalarType::Long];
        all.into_iter().find(|&ty| {
            let what =
                Recursion { name: logic.name.clone(), initial: true, yields: ty, modular: false };
            let args: Vec<SpecTerm> =
                logic.params.iter().map(|param| self.any_argument(param.ty)).collect();
            let sides = self.sides.len();
            let body = self.body_as(logic, &what, args);
            let is_exact = self.sides.len() == sides;
            self.sides.truncate(sides);
            let range = range_of_type(ty);
            is_exact
                && matches!((body, range), (Ok(SpecTerm::Int(_, (low, high))), Some((least, most)))
                if low >= least && high <= most)
        })
    }

    fn any_argument(&mut self, ty: Type) -> SpecTerm {
        let pool = &mut self.walker.pool;
        match ty {
            Type::Float => SpecTerm::Float(pool.bv_var("argument", 32), duet_ir::FloatType::F32),
            Type::Double => {
                SpecTerm::Float(pool.bv_var("wide argument", 64), duet_ir::FloatType::F64)
            }
            Type::Bool | Type::Int | Type::Array(_) => {
                SpecTerm::Int(pool.bv_var("number", 64), (-LARGEST, LARGEST))
            }
        }
    }

    /// The body at arguments, with calls in it as the unknown function.
    fn body_as(
        &mut self,
        logic: &Logic,
        what: &Recursion,
        args: Vec<SpecTerm>,
    ) -> Result<SpecTerm> {
        let names = logic.params.iter().map(|param| param.name.clone());
        let outer = std::mem::replace(&mut self.variables, names.zip(args).collect());
        let initial = std::mem::replace(&mut self.initial, what.initial);
        let inside = self.inside.replace(what.clone());
        let frozen = std::mem::replace(&mut self.frozen, true);
        let value = match what.modular {
            true => self.modular(&logic.body, what.yields).and_then(|bits| {
                let ty = what.yields;
                self.of_bits(bits, ty)
            }),
            false => self.term(&logic.body),
        };
        self.frozen = frozen;
        self.inside = inside;
        self.initial = initial;
        self.variables = outer;
        value
    }

    /// A call in the body of the function itself, if it is one.
    pub(super) fn inner_call(
        &mut self,
        name: &str,
        args: &[SpecTerm],
        modulo: Option<ScalarType>,
    ) -> Option<Result<SpecTerm>> {
        let what = self.inside.clone().filter(|what| what.name == name)?;
        // SOUNDNESS: of a result modulo 2^w only sums and products modulo 2^w are known
        // (kernels/prove/traps/73-function-modulo), and nothing modulo more
        // (kernels/prove/traps/81-modulo-more).
        let is_known = modulo.is_some_and(|ty| ty.bytes() <= what.yields.bytes());
        if what.modular && !is_known {
            return Some(Err(format!(
                "`{name}` is known modulo 2^{} only",
                8 * what.yields.bytes()
            )));
        }
        let falling = self.bound.logic().get(name).and_then(|logic| falling(logic));
        Some(self.applied(Recursion { initial: self.initial, ..what }, args, falling.or(Some(0))))
    }

    /// What the unknown function is where it is applied: its bits, and what has to hold of the
    /// arguments for it.
    pub fn body_of_call(&mut self, func: FuncId, call: TermId) -> Result<(TermId, Vec<TermId>)> {
        let what = self.recursions.get(&func).cloned().ok_or("no function of contracts")?;
        let bound = self.bound.logic();
        let logic = bound.get(what.name.as_str()).ok_or("no function of contracts")?;
        let pool = &mut self.walker.pool;
        debug_assert!(matches!(pool.op(call), Op::Apply(own) if own == func));
        let terms = pool.args(call).to_vec();
        let (mut args, mut premises) = (vec![], vec![]);
        for (param, term) in logic.params.iter().zip(terms) {
            let pool = &mut self.walker.pool;
            args.push(match param.ty {
                Type::Float => SpecTerm::Float(term, duet_ir::FloatType::F32),
                Type::Double => SpecTerm::Float(term, duet_ir::FloatType::F64),
                Type::Bool | Type::Int | Type::Array(_) => {
                    // The body's arithmetic is exact for such arguments only.
                    let (least, most) =
                        (pool.bv(64, -LARGEST as u128), pool.bv(64, LARGEST as u128));
                    premises.push(pool.compare().sle(least, term));
                    premises.push(pool.compare().sle(term, most));
                    SpecTerm::Int(term, (-LARGEST, LARGEST))
                }
            });
        }
        let value = self.body_as(logic, &what, args)?;
        let width = 8 * what.yields.bytes();
        let bits = match (value, what.yields) {
            (SpecTerm::Float(..), ty) => match self.cast(value, ty)? {
                SpecTerm::Float(term, _) => term,
                SpecTerm::Int(..) | SpecTerm::Bool(_) | SpecTerm::Array(..) => {
                    return Err("a float is expected".into());
                }
            },
            (SpecTerm::Int(..) | SpecTerm::Bool(_), ty) if ty.is_float() => {
                match self.cast(value, ty)? {
                    SpecTerm::Float(term, _) => term,
                    SpecTerm::Int(..) | SpecTerm::Bool(_) | SpecTerm::Array(..) => {
                        return Err("a float is expected".into());
                    }
                }
            }
            (SpecTerm::Int(term, _), _) => at_width(&mut self.walker.pool, term, width),
            (SpecTerm::Bool(term), _) => {
                let pool = &mut self.walker.pool;
                let (one, zero) = (pool.bv(width, 1), pool.bv(width, 0));
                pool.ite(term, one, zero)
            }
            (SpecTerm::Array(..), _) => return Err("an array is no number".into()),
        };
        Ok((bits, premises))
    }
}
