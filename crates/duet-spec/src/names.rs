//! Free names: what clang has to resolve.

use std::collections::BTreeSet;

use crate::tree::{ClauseKind, Contract, Expr, ExprKind, Span};

/// Names that are known without a declaration.
pub fn known_constant(name: &str) -> Option<i128> {
    Some(match name {
        "CHAR_MIN" | "SCHAR_MIN" => i128::from(i8::MIN),
        "CHAR_MAX" | "SCHAR_MAX" => i128::from(i8::MAX),
        "UCHAR_MAX" => i128::from(u8::MAX),
        "SHRT_MIN" => i128::from(i16::MIN),
        "SHRT_MAX" => i128::from(i16::MAX),
        "USHRT_MAX" => i128::from(u16::MAX),
        "INT_MIN" => i128::from(i32::MIN),
        "INT_MAX" => i128::from(i32::MAX),
        "UINT_MAX" => i128::from(u32::MAX),
        "LLONG_MIN" | "LONG_MIN" => i128::from(i64::MIN),
        "LLONG_MAX" | "LONG_MAX" => i128::from(i64::MAX),
        "ULLONG_MAX" | "ULONG_MAX" => i128::from(u64::MAX),
        "true" => 1,
        "false" => 0,
        _ => return None,
    })
}

/// A name that the source has to explain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Capture {
    /// As it is written.
    pub name: String,
    /// Where it stands first.
    pub span: Span,
}

/// The free names of a contract, each once, in the order of the text. Names that only loops
/// have are among them.
pub fn free_names(contract: &Contract) -> Vec<Capture> {
    let mut walk = Walk::default();
    for clause in &contract.clauses {
        match &clause.kind {
            ClauseKind::Ghost(names, _) => walk.bound.extend(names.iter().cloned()),
            ClauseKind::Logic(logic) => {
                walk.functions.insert(logic.name.clone());
            }
            ClauseKind::Requires(_)
            | ClauseKind::Ensures(_)
            | ClauseKind::Assigns(_)
            | ClauseKind::Writer(..)
            | ClauseKind::LoopInvariant(_) => {}
        }
    }
    for clause in &contract.clauses {
        match &clause.kind {
            ClauseKind::Requires(pred)
            | ClauseKind::Ensures(pred)
            | ClauseKind::LoopInvariant(pred) => walk.expr(pred),
            ClauseKind::Assigns(cells) => cells.iter().for_each(|cell| {
                walk.name(&cell.array, cell.span);
                walk.expr(&cell.from);
                cell.to.iter().for_each(|to| walk.expr(to));
            }),
            ClauseKind::Ghost(..) => {}
            ClauseKind::Logic(logic) => {
                let names: Vec<String> = logic.params.iter().map(|p| p.name.clone()).collect();
                walk.under(&names, &logic.body);
            }
            // The location's index is bound by it.
            ClauseKind::Writer(cell, pred) => {
                walk.name(&cell.array, cell.span);
                match &cell.from.kind {
                    ExprKind::Name(index) => walk.under(std::slice::from_ref(index), pred),
                    ExprKind::Int(_)
                    | ExprKind::Float(..)
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
                    | ExprKind::IsPow2(_) => walk.expr(pred),
                }
            }
        }
    }
    walk.found
}

#[derive(Default)]
struct Walk {
    bound: Vec<String>,
    functions: BTreeSet<String>,
    found: Vec<Capture>,
}

impl Walk {
    fn name(&mut self, name: &str, span: Span) {
        let is_count = name == "loop_count" || name.starts_with("loop_count_");
        let is_known = known_constant(name).is_some() || is_count;
        let is_new = !self.found.iter().any(|one| one.name == name);
        if is_new && !is_known && !self.bound.iter().any(|bound| bound == name) {
            self.found.push(Capture { name: name.to_string(), span });
        }
    }

    fn under(&mut self, names: &[String], body: &Expr) {
        let before = self.bound.len();
        self.bound.extend(names.iter().cloned());
        self.expr(body);
        self.bound.truncate(before);
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Name(name) => self.name(name, expr.span),
            ExprKind::Quantified(_, binders, body) => {
                let names: Vec<String> = binders.iter().map(|one| one.name.clone()).collect();
                self.under(&names, body);
            }
            ExprKind::Fold(_, binder, from, to, body) => {
                self.expr(from);
                self.expr(to);
                self.under(std::slice::from_ref(&binder.name), body);
            }
            ExprKind::Int(_)
            | ExprKind::Float(..)
            | ExprKind::Threads
            | ExprKind::Index(..)
            | ExprKind::Call(..)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Conditional(..)
            | ExprKind::Cast(..)
            | ExprKind::Old(_)
            | ExprKind::Pow2(_)
            | ExprKind::IsPow2(_) => expr.children().into_iter().for_each(|one| self.expr(one)),
        }
    }
}
