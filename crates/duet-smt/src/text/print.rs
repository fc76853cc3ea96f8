//! The printer. Its output is linear in the number of distinct terms: a term
//! that is used twice, or whose text has become long, is given a name by
//! `define-fun`.

use super::symbols::{DEFINITION_PREFIX, spell};
use crate::op::Op;
use crate::pool::TermPool;
use crate::sort::{FuncId, Sort, SortId, TermId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;

/// Text longer than this gets a name of its own.
const LONG: usize = 120;

/// Remembers what has been declared and defined, so that one printer can serve
/// a long conversation with a solver.
#[derive(Clone, Default)]
pub struct Printer {
    names: FxHashMap<TermId, String>,
    funcs: FxHashSet<FuncId>,
    sorts: FxHashSet<SortId>,
    next: usize,
}

impl Printer {
    /// A printer that has declared nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Writes the declarations and definitions that `roots` need into `out` and
    /// returns the text of each root.
    pub fn terms(&mut self, pool: &TermPool, roots: &[TermId], out: &mut String) -> Vec<String> {
        let order = self.undefined_below(pool, roots);
        let uses = count_uses(pool, roots, &order);
        let mut texts: FxHashMap<TermId, String> = FxHashMap::default();
        for &t in &order {
            let text = self.application(pool, t, &mut texts, Some(&uses), out);
            let many = uses.get(&t).copied().unwrap_or(0) > 1;
            let text = if pool.args(t).is_empty() || !(many || text.len() > LONG) {
                text
            } else {
                self.define(pool, t, &text, out)
            };
            texts.insert(t, text);
        }
        let text = |t: &TermId| self.names.get(t).or_else(|| texts.get(t)).cloned();
        roots.iter().map(|t| text(t).expect("every root was printed")).collect()
    }

    /// Like [`Printer::terms`] for one term.
    pub fn term(&mut self, pool: &TermPool, t: TermId, out: &mut String) -> String {
        self.terms(pool, &[t], out).remove(0)
    }

    /// The text of each root without new definitions: names that exist are used,
    /// the rest is written out. For terms whose arguments are named or small.
    pub(crate) fn terms_inline(&mut self, pool: &TermPool, roots: &[TermId]) -> Vec<String> {
        let mut out = String::new();
        let mut texts = Vec::new();
        for &t in roots {
            let order = self.undefined_below(pool, &[t]);
            let mut done: FxHashMap<TermId, String> = FxHashMap::default();
            for &u in &order {
                let text = self.application(pool, u, &mut done, None, &mut out);
                done.insert(u, text);
            }
            texts.push(self.names.get(&t).or_else(|| done.get(&t)).cloned().expect("printed"));
        }
        texts
    }

    /// Terms below the roots in depth-first order, arguments first, not looking
    /// below those that have a name. The order depends on the terms' structure
    /// only, not on when they were made: equal questions have equal texts.
    fn undefined_below(&self, pool: &TermPool, roots: &[TermId]) -> Vec<TermId> {
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut order = Vec::new();
        let mut work: Vec<(TermId, bool)> = roots.iter().rev().map(|&t| (t, false)).collect();
        while let Some((t, args_done)) = work.pop() {
            if args_done {
                order.push(t);
            } else if !self.names.contains_key(&t) && seen.insert(t) {
                work.push((t, true));
                work.extend(pool.args(t).iter().rev().map(|&a| (a, false)));
            }
        }
        order
    }

    fn application(
        &mut self,
        pool: &TermPool,
        t: TermId,
        texts: &mut FxHashMap<TermId, String>,
        uses: Option<&FxHashMap<TermId, u32>>,
        out: &mut String,
    ) -> String {
        let data = pool.data(t);
        let head = self.head(pool, data.op, out);
        if data.args.is_empty() {
            return head;
        }
        let mut text = format!("({head}");
        for a in &data.args {
            text.push(' ');
            match self.names.get(a) {
                Some(name) => text.push_str(name),
                // A term used once is moved into its user: linear in total.
                None if uses.is_some_and(|uses| uses[a] == 1) => {
                    text.push_str(&texts.remove(a).expect("printed before"))
                }
                None => text.push_str(&texts[a]),
            }
        }
        text.push(')');
        text
    }

    fn head(&mut self, pool: &TermPool, op: Op, out: &mut String) -> String {
        match op {
            Op::BvConst { width, bits } => bv_literal(width, bits),
            Op::IntConst(n) if n < 0 => format!("(- {})", n.unsigned_abs()),
            Op::IntConst(n) => n.to_string(),
            Op::Apply(f) => {
                self.declare(pool, f, out);
                spell(&pool.func_data(f).name)
            }
            Op::Extract { hi, lo } => format!("(_ extract {hi} {lo})"),
            Op::ZeroExtend(by) | Op::SignExtend(by) => format!("(_ {} {by})", op.name()),
            _ => op.name().to_string(),
        }
    }

    fn declare(&mut self, pool: &TermPool, f: FuncId, out: &mut String) {
        if !self.funcs.insert(f) {
            return;
        }
        let func = pool.func_data(f);
        let args: Vec<String> = func.args.iter().map(|&s| self.sort(pool, s, out)).collect();
        let result = self.sort(pool, func.result, out);
        let name = spell(&func.name);
        let _ = writeln!(out, "(declare-fun {name} ({}) {result})", args.join(" "));
    }

    fn sort(&mut self, pool: &TermPool, sort: Sort, out: &mut String) -> String {
        let Sort::Named(id) = sort else { return sort.to_string() };
        let name = spell(pool.sort_name(id));
        if self.sorts.insert(id) {
            let _ = writeln!(out, "(declare-sort {name} 0)");
        }
        name
    }

    fn define(&mut self, pool: &TermPool, t: TermId, text: &str, out: &mut String) -> String {
        let name = format!("{DEFINITION_PREFIX}{}", self.next);
        self.next += 1;
        let sort = self.sort(pool, pool.sort(t), out);
        let _ = writeln!(out, "(define-fun {name} () {sort} {text})");
        self.names.insert(t, name.clone());
        name
    }
}

/// How often each term is an argument or a root.
fn count_uses(pool: &TermPool, roots: &[TermId], order: &[TermId]) -> FxHashMap<TermId, u32> {
    let mut uses: FxHashMap<TermId, u32> = roots.iter().map(|&t| (t, 1)).collect();
    for &t in order {
        for &a in pool.args(t) {
            *uses.entry(a).or_default() += 1;
        }
    }
    uses
}

fn bv_literal(width: u32, bits: u128) -> String {
    if width.is_multiple_of(4) {
        format!("#x{bits:0digits$x}", digits = (width / 4) as usize)
    } else {
        format!("#b{bits:0digits$b}", digits = width as usize)
    }
}

/// A script that stands alone: comment, declarations, assertions, `check-sat`.
/// The same assertions always give the same text.
pub fn write_script(pool: &TermPool, assertions: &[TermId], comment: &str) -> String {
    let mut out = String::new();
    for line in comment.lines() {
        let _ = writeln!(out, "; {line}");
    }
    out.push_str("(set-logic ALL)\n");
    let texts = Printer::new().terms(pool, assertions, &mut out);
    for text in texts {
        let _ = writeln!(out, "(assert {text})");
    }
    out.push_str("(check-sat)\n");
    out
}
