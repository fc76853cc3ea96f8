//! Types of contracts, and what is wrong with them: a name that stands for no number or
//! array, a clause in the wrong place, a variable without bounds, an `\exists` that would
//! have to be shown, a function that calls itself without an end.

use std::collections::BTreeMap;

use duet_ir::{Captured, ScalarType};

use crate::bounds::bounds_of;
use crate::math::{integer_function, math_function, math_type};
use crate::names::known_constant;
use crate::parse::{SpecError, of_scalar};
use crate::scan::Place;
use crate::tree::{
    BinaryOp, ClauseKind, Contract, Expr, ExprKind, Fold, Logic, Quantifier, Span, Type, UnaryOp,
};

/// Tells types of expressions.
pub struct Typed<'a> {
    lookup: &'a dyn Fn(&str) -> Option<Captured>,
    logic: BTreeMap<&'a str, &'a Logic>,
    ghosts: Vec<&'a str>,
    /// Variables in scope.
    bound: Vec<(String, Type)>,
    place: Place,
}

/// Everything that is wrong with a contract at its place; `lookup` tells what captured
/// names are. At a loop, functions and ghost variables of the kernel's contract are known.
pub fn check_types(
    contract: &Contract,
    place: Place,
    around: Option<&Contract>,
    lookup: &dyn Fn(&str) -> Option<Captured>,
) -> Vec<SpecError> {
    let mut typed = Typed { lookup, logic: BTreeMap::new(), ghosts: vec![], bound: vec![], place };
    let outer = around.into_iter().flat_map(|around| &around.clauses);
    for clause in contract.clauses.iter().chain(outer) {
        match &clause.kind {
            ClauseKind::Logic(logic) => {
                typed.logic.insert(&logic.name, logic);
            }
            ClauseKind::Ghost(names, _) => typed.ghosts.extend(names.iter().map(String::as_str)),
            ClauseKind::Requires(_)
            | ClauseKind::Ensures(_)
            | ClauseKind::Assigns(_)
            | ClauseKind::Writer(..)
            | ClauseKind::LoopInvariant(_) => {}
        }
    }
    let clauses = contract.clauses.iter();
    clauses.filter_map(|clause| typed.clause(&clause.kind, clause.span).err()).collect()
}

type Result<T> = std::result::Result<T, SpecError>;

fn wrong<T>(span: Span, message: impl Into<String>) -> Result<T> {
    Err(SpecError::new(span, message))
}

impl Typed<'_> {
    fn clause(&mut self, kind: &ClauseKind, span: Span) -> Result<()> {
        let is_of_loop = matches!(kind, ClauseKind::LoopInvariant(_));
        if is_of_loop != (self.place == Place::Loop) {
            return match is_of_loop {
                true => wrong(span, "a loop invariant stands before a loop, not before a kernel"),
                false => wrong(span, "only loop invariants stand before a loop")
                    .map_err(|error: SpecError| error.help("move the clause before the kernel")),
            };
        }
        match kind {
            ClauseKind::Requires(pred) => {
                if let Some(old) = find(pred, &|one| matches!(one.kind, ExprKind::Old(_))) {
                    return wrong(old.span, "`requires` speaks of the initial state only")
                        .map_err(|error: SpecError| error.help("leave out `\\old`"));
                }
                self.truth(pred)
            }
            ClauseKind::Ensures(pred) => {
                self.truth(pred)?;
                polarity(pred, true)
            }
            ClauseKind::LoopInvariant(pred) => self.truth(pred),
            ClauseKind::Assigns(cells) => cells.iter().try_for_each(|cell| {
                self.array(&cell.array, cell.span)?;
                self.integer(&cell.from)?;
                cell.to.iter().try_for_each(|to| self.integer(to))
            }),
            ClauseKind::Ghost(..) => Ok(()),
            ClauseKind::Logic(logic) => self.logic(logic),
            ClauseKind::Writer(cell, pred) => {
                self.array(&cell.array, cell.span)?;
                let ExprKind::Name(index) = &cell.from.kind else {
                    return wrong(cell.from.span, "the index of a `writer` is a variable");
                };
                self.under(index.clone(), Type::Int, |typed| typed.truth(pred))
            }
        }
    }

    fn logic(&mut self, logic: &Logic) -> Result<()> {
        if integer_function(&logic.name).is_some() || math_function(&logic.name).is_some() {
            let message = format!("`{}` is a function of the language", logic.name);
            return wrong(logic.body.span, message)
                .map_err(|error: SpecError| error.help("give it another name"));
        }
        let before = self.bound.len();
        self.bound.extend(logic.params.iter().map(|one| (one.name.clone(), one.ty)));
        let ty = self.of(&logic.body);
        self.bound.truncate(before);
        let (ty, wants) = (ty?, logic.result);
        match (wants, ty) {
            (Type::Int, Type::Int | Type::Bool) => Ok(()),
            (Type::Float | Type::Double, Type::Array(_)) | (Type::Int, _) => {
                wrong(logic.body.span, format!("`{}` yields {wants}, this is {ty}", logic.name))
            }
            _ => Ok(()),
        }
    }

    fn under<T>(&mut self, name: String, ty: Type, then: impl FnOnce(&mut Self) -> T) -> T {
        self.bound.push((name, ty));
        let result = then(self);
        self.bound.pop();
        result
    }

    fn array(&self, name: &str, span: Span) -> Result<ScalarType> {
        match (self.lookup)(name) {
            Some(Captured::Pointer(ty)) => Ok(ty),
            Some(Captured::Scalar(_)) | None => wrong(span, format!("`{name}` is no array")),
        }
    }

    fn truth(&mut self, expr: &Expr) -> Result<()> {
        match self.of(expr)? {
            Type::Bool | Type::Int => Ok(()),
            ty @ Type::Float | ty @ Type::Double | ty @ Type::Array(_) => {
                wrong(expr.span, format!("expected a condition, this is {ty}"))
            }
        }
    }

    fn integer(&mut self, expr: &Expr) -> Result<()> {
        match self.of(expr)? {
            Type::Bool | Type::Int => Ok(()),
            ty @ Type::Float | ty @ Type::Double | ty @ Type::Array(_) => {
                wrong(expr.span, format!("expected an integer, this is {ty}"))
            }
        }
    }

    fn number(&mut self, expr: &Expr) -> Result<Type> {
        match self.of(expr)? {
            Type::Bool => Ok(Type::Int),
            Type::Array(_) => wrong(expr.span, "an array is no number: name one of its cells"),
            ty @ Type::Int | ty @ Type::Float | ty @ Type::Double => Ok(ty),
        }
    }

    /// The type of an expression.
    fn of(&mut self, expr: &Expr) -> Result<Type> {
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Threads => Ok(Type::Int),
            ExprKind::Float(_, single) => Ok(if *single { Type::Float } else { Type::Double }),
            ExprKind::Name(name) => self.name(name, expr.span),
            ExprKind::Index(array, index) => {
                self.integer(index)?;
                match self.of(array)? {
                    Type::Array(ScalarType::Half) => wrong(array.span, "half is not supported"),
                    Type::Array(element) => Ok(of_scalar(element)),
                    Type::Bool | Type::Int | Type::Float | Type::Double => {
                        wrong(array.span, "this is no array")
                    }
                }
            }
            ExprKind::Call(name, args) => self.call(name, args, expr.span),
            ExprKind::Unary(UnaryOp::Not, arg) => self.truth(arg).map(|()| Type::Bool),
            ExprKind::Unary(UnaryOp::Complement, arg) => self.integer(arg).map(|()| Type::Int),
            ExprKind::Unary(UnaryOp::Minus, arg) => self.number(arg),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b),
            ExprKind::Conditional(cond, a, b) => {
                self.truth(cond)?;
                match (self.of(a)?, self.of(b)?) {
                    (Type::Bool, Type::Bool) => Ok(Type::Bool),
                    _ => Ok(wider(self.number(a)?, self.number(b)?)),
                }
            }
            ExprKind::Cast(ScalarType::Half, _) => wrong(expr.span, "half is not supported"),
            ExprKind::Cast(ty, arg) => {
                self.number(arg)?;
                Ok(of_scalar(*ty))
            }
            ExprKind::Old(arg) => self.of(arg),
            ExprKind::Quantified(which, binders, body) => {
                for (binder, bounds) in binders.iter().zip(bounds_of(*which, binders, body)) {
                    if binder.ty != Type::Int {
                        return wrong(expr.span, format!("`{}` is no integer", binder.name));
                    }
                    if !bounds.is_bounded() {
                        let name = &binder.name;
                        return wrong(expr.span, format!("the variable `{name}` is not bounded"))
                            .map_err(|error: SpecError| {
                                error
                                    .help(format!("write `\\forall … ; from <= {name} < to ==> …`"))
                            });
                    }
                }
                let before = self.bound.len();
                self.bound.extend(binders.iter().map(|one| (one.name.clone(), Type::Int)));
                let result = self.truth(body);
                self.bound.truncate(before);
                result.map(|()| Type::Bool)
            }
            ExprKind::Fold(fold, binder, from, to, body) => {
                self.integer(from)?;
                self.integer(to)?;
                let ty = self.under(binder.name.clone(), Type::Int, |typed| match fold {
                    Fold::Count => typed.truth(body).map(|()| Type::Int),
                    Fold::Sum | Fold::Prod | Fold::Min | Fold::Max => typed.number(body),
                })?;
                match (fold, ty) {
                    (Fold::Min | Fold::Max, Type::Float | Type::Double) => {
                        wrong(expr.span, "`\\min` and `\\max` are for integers")
                    }
                    _ => Ok(ty),
                }
            }
            ExprKind::Pow2(arg) => self.integer(arg).map(|()| Type::Int),
            ExprKind::IsPow2(arg) => self.integer(arg).map(|()| Type::Bool),
        }
    }

    fn name(&self, name: &str, span: Span) -> Result<Type> {
        if let Some((_, ty)) = self.bound.iter().rev().find(|(own, _)| own == name) {
            return Ok(*ty);
        }
        let counts = name == "loop_count" || name.starts_with("loop_count_");
        if self.ghosts.contains(&name) || known_constant(name).is_some() || counts {
            return Ok(Type::Int);
        }
        match (self.lookup)(name) {
            Some(Captured::Scalar(ScalarType::Half)) => wrong(span, "half is not supported"),
            Some(Captured::Scalar(ty)) => Ok(of_scalar(ty)),
            Some(Captured::Pointer(ty)) => Ok(Type::Array(ty)),
            None => wrong(span, format!("`{name}` is unknown")),
        }
    }

    fn call(&mut self, name: &str, args: &[Expr], span: Span) -> Result<Type> {
        let Some(&logic) = self.logic.get(name) else {
            if let Some(ty) = self.library_call(name, args, span)? {
                return Ok(ty);
            }
            return wrong(span, format!("`{name}` is no function of contracts")).map_err(
                |error: SpecError| error.help("define it by `logic type name(parameters) = …`"),
            );
        };
        if logic.params.len() != args.len() {
            let count = logic.params.len();
            return wrong(span, format!("`{name}` has {count} parameters, not {}", args.len()));
        }
        for (param, arg) in logic.params.iter().zip(args) {
            match param.ty {
                Type::Int => self.integer(arg)?,
                Type::Bool | Type::Float | Type::Double | Type::Array(_) => {
                    self.number(arg).map(|_| ())?
                }
            }
        }
        Ok(logic.result)
    }

    /// The type of a call of a function that the language has.
    fn library_call(&mut self, name: &str, args: &[Expr], span: Span) -> Result<Option<Type>> {
        let mut types = vec![];
        for arg in args {
            types.push(self.number(arg)?);
        }
        let is_integer = types.iter().all(|ty| *ty == Type::Int);
        let (arity, ty) = match (integer_function(name), math_function(name)) {
            (Some(arity), _) if is_integer => (arity, Type::Int),
            (_, Some((arity, is_single))) => (arity, math_type(is_single, &types)),
            (Some(_), None) => return wrong(span, format!("`{name}` is for integers here")),
            (None, None) => return Ok(None),
        };
        match arity == args.len() {
            true => Ok(Some(ty)),
            false => wrong(span, format!("`{name}` has {arity} parameters, not {}", args.len())),
        }
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Result<Type> {
        use BinaryOp::{Add, BitAnd, BitOr, BitXor, Div, Mul, Rem, Shl, Shr, Sub};
        match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Implies => {
                self.truth(a)?;
                self.truth(b)?;
                Ok(Type::Bool)
            }
            Rem | Shl | Shr | BitAnd | BitOr | BitXor => {
                self.integer(a)?;
                self.integer(b)?;
                Ok(Type::Int)
            }
            Add | Sub | Mul | Div => Ok(wider(self.number(a)?, self.number(b)?)),
            BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge => {
                self.number(a)?;
                self.number(b)?;
                Ok(Type::Bool)
            }
        }
    }
}

/// The type that C converts both operands to.
pub(crate) fn wider(a: Type, b: Type) -> Type {
    match (a, b) {
        (Type::Double, _) | (_, Type::Double) => Type::Double,
        (Type::Float, _) | (_, Type::Float) => Type::Float,
        _ => Type::Int,
    }
}

/// The first expression inside that the test accepts.
fn find<'e>(expr: &'e Expr, test: &dyn Fn(&Expr) -> bool) -> Option<&'e Expr> {
    if test(expr) {
        return Some(expr);
    }
    expr.children().into_iter().find_map(|child| find(child, test))
}

/// No `\exists` is to be shown, and no `\forall` is to be found false.
fn polarity(pred: &Expr, positive: bool) -> Result<()> {
    match &pred.kind {
        ExprKind::Quantified(which, _, body) => {
            let shown = match which {
                Quantifier::Forall => positive,
                Quantifier::Exists => !positive,
            };
            match shown {
                true => polarity(body, positive),
                false => wrong(pred.span, "an `\\exists` cannot be ensured")
                    .map_err(|error: SpecError| error.help("name the value that it is about")),
            }
        }
        ExprKind::Unary(UnaryOp::Not, arg) => polarity(arg, !positive),
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
            polarity(a, positive)?;
            polarity(b, positive)
        }
        ExprKind::Binary(BinaryOp::Implies, a, b) => {
            polarity(a, !positive)?;
            polarity(b, positive)
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
        | ExprKind::IsPow2(_) => {
            match find(pred, &|one| matches!(one.kind, ExprKind::Quantified(..))) {
                Some(inner) => wrong(inner.span, "a quantifier inside a term cannot be ensured"),
                None => Ok(()),
            }
        }
    }
}
