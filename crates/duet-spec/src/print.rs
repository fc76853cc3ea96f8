//! Contracts as text: for messages and `duet emit --stage=spec`. Brackets are written
//! around every operand that is no leaf, so that the reading is plain to see.

use std::fmt;

use crate::tree::{
    Assigned, Binder, Clause, ClauseKind, Contract, Expr, ExprKind, Fold, Quantifier, Type, UnaryOp,
};

impl fmt::Display for Contract {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.clauses.iter().try_for_each(|clause| writeln!(f, "{clause};"))
    }
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ClauseKind::Requires(pred) => write!(f, "requires {pred}"),
            ClauseKind::Ensures(pred) => write!(f, "ensures {pred}"),
            ClauseKind::Assigns(cells) if cells.is_empty() => f.write_str("assigns \\nothing"),
            ClauseKind::Assigns(cells) => {
                let cells: Vec<String> = cells.iter().map(Assigned::to_string).collect();
                write!(f, "assigns {}", cells.join(", "))
            }
            ClauseKind::Ghost(names, ty) => write!(f, "ghost {} {}", ty.name(), names.join(", ")),
            ClauseKind::Logic(logic) => {
                let params: Vec<String> = logic.params.iter().map(Binder::to_string).collect();
                let params = params.join(", ");
                write!(f, "logic {} {}({params}) = {}", logic.result, logic.name, logic.body)
            }
            ClauseKind::Writer(cell, pred) => write!(f, "writer {cell} : {pred}"),
            ClauseKind::LoopInvariant(pred) => write!(f, "loop invariant {pred}"),
        }
    }
}

impl fmt::Display for Assigned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.to {
            None => write!(f, "{}[{}]", self.array, self.from),
            Some(to) => write!(f, "{}[{} .. {to}]", self.array, self.from),
        }
    }
}

impl fmt::Display for Binder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unsigned = if self.unsigned { "unsigned " } else { "" };
        write!(f, "{unsigned}{} {}", self.ty, self.name)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Bool => f.write_str("bool"),
            Type::Int => f.write_str("int"),
            Type::Float => f.write_str("float"),
            Type::Double => f.write_str("double"),
            Type::Array(element) => write!(f, "{} array", element.name()),
        }
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ExprKind::Int(number) => write!(f, "{number}"),
            ExprKind::Float(number, single) => {
                write!(f, "{number:?}{}", if *single { "f" } else { "" })
            }
            ExprKind::Name(name) => f.write_str(name),
            ExprKind::Threads => f.write_str("\\threads"),
            ExprKind::Index(array, index) => write!(f, "{array}[{index}]"),
            ExprKind::Call(name, args) => {
                let args: Vec<String> = args.iter().map(Expr::to_string).collect();
                write!(f, "{name}({})", args.join(", "))
            }
            ExprKind::Unary(op, arg) => {
                let sign = match op {
                    UnaryOp::Minus => "-",
                    UnaryOp::Complement => "~",
                    UnaryOp::Not => "!",
                };
                write!(f, "{sign}{}", Operand(arg))
            }
            ExprKind::Binary(op, a, b) => {
                write!(f, "{} {} {}", Operand(a), op.sign(), Operand(b))
            }
            ExprKind::Conditional(a, b, c) => {
                write!(f, "{} ? {} : {}", Operand(a), Operand(b), Operand(c))
            }
            ExprKind::Cast(ty, arg) => write!(f, "({}){}", ty.name(), Operand(arg)),
            ExprKind::Old(arg) => write!(f, "\\old({arg})"),
            ExprKind::Quantified(which, binders, body) => {
                let word = match which {
                    Quantifier::Forall => "\\forall",
                    Quantifier::Exists => "\\exists",
                };
                let names: Vec<&str> = binders.iter().map(|one| one.name.as_str()).collect();
                let unsigned = if binders[0].unsigned { "unsigned " } else { "" };
                write!(f, "{word} {unsigned}{} {}; {body}", binders[0].ty, names.join(", "))
            }
            ExprKind::Fold(fold, binder, from, to, body) => {
                let word = match fold {
                    Fold::Sum => "\\sum",
                    Fold::Prod => "\\prod",
                    Fold::Min => "\\min",
                    Fold::Max => "\\max",
                    Fold::Count => "\\count",
                };
                let name = &binder.name;
                let (from, to) = (Operand(from), Operand(to));
                write!(f, "{word}({binder}; {from} <= {name} < {to}; {body})")
            }
            ExprKind::Pow2(arg) => write!(f, "\\pow2({arg})"),
            ExprKind::IsPow2(arg) => write!(f, "\\is_pow2({arg})"),
        }
    }
}

/// An expression as an operand: in brackets if it has operands itself.
struct Operand<'e>(&'e Expr);

impl fmt::Display for Operand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.kind {
            ExprKind::Binary(..) | ExprKind::Conditional(..) | ExprKind::Quantified(..) => {
                write!(f, "({})", self.0)
            }
            ExprKind::Int(number) if *number < 0 => write!(f, "({number})"),
            ExprKind::Int(_)
            | ExprKind::Float(..)
            | ExprKind::Name(_)
            | ExprKind::Threads
            | ExprKind::Index(..)
            | ExprKind::Call(..)
            | ExprKind::Unary(..)
            | ExprKind::Cast(..)
            | ExprKind::Old(_)
            | ExprKind::Fold(..)
            | ExprKind::Pow2(_)
            | ExprKind::IsPow2(_) => write!(f, "{}", self.0),
        }
    }
}
