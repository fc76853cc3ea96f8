//! The reader: the subset of SMT-LIB that the printer writes, and the derived
//! operations people write by hand (`bvsub`, `distinct`, `=>`, `let`, …).
//!
//! It never panics: what it does not know is an error with its line.

use super::sexp::{Sexp, SexpError, parse_sexps};
use super::symbols::{unspell, user_symbol};
use crate::op::Op;
use crate::pool::TermPool;
use crate::sort::{IndexSort, MAX_WIDTH, Sort, TermId};
use rustc_hash::FxHashMap;

/// Text that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// Not even s-expressions.
    #[error(transparent)]
    Syntax(#[from] SexpError),
    /// A command or term that means nothing here.
    #[error("{0}")]
    Meaning(String),
}

fn bad<T>(what: impl Into<String>) -> Result<T, ReadError> {
    Err(ReadError::Meaning(what.into()))
}

/// What a script asserts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// The asserted terms, in order.
    pub assertions: Vec<TermId>,
    /// The status the script claims by `(set-info :status …)`, if any.
    pub status: Option<String>,
}

/// Terms may nest this deep in text; our own printer stays far below.
const MAX_DEPTH: usize = 500;

/// Reads a script. With `simplify`, terms go through the simplifying
/// constructors; without, they are interned as written (derived operations
/// excepted, which are always expanded).
pub fn parse_script(pool: &mut TermPool, text: &str, simplify: bool) -> Result<Script, ReadError> {
    let mut reader = Reader { pool, simplify, scopes: vec![FxHashMap::default()], depth: 0 };
    let mut script = Script::default();
    for command in parse_sexps(text)? {
        reader.command(&command, &mut script)?;
    }
    Ok(script)
}

struct Reader<'a> {
    pool: &'a mut TermPool,
    simplify: bool,
    /// Definitions, then the scopes of `let`.
    scopes: Vec<FxHashMap<String, TermId>>,
    depth: usize,
}

impl Reader<'_> {
    fn command(&mut self, command: &Sexp, script: &mut Script) -> Result<(), ReadError> {
        let Some([Sexp::Atom(head), args @ ..]) = command.list() else {
            return bad("a command is a list that begins with its name");
        };
        match (head.as_str(), args) {
            ("set-info", [key, value]) if key.atom() == Some(":status") => {
                script.status = value.atom().map(str::to_string);
            }
            ("set-logic" | "set-option" | "set-info" | "check-sat" | "exit" | "echo", _) => {}
            ("declare-const", [Sexp::Atom(name), sort]) => self.declare(name, &[], sort)?,
            ("declare-fun", [Sexp::Atom(name), Sexp::List(params), sort]) => {
                self.declare(name, params, sort)?;
            }
            ("declare-sort", [Sexp::Atom(name), _]) => {
                self.pool.named_sort(unspell(name));
            }
            ("define-fun", [Sexp::Atom(name), Sexp::List(params), _, body])
                if params.is_empty() =>
            {
                let body = self.term(body)?;
                self.scopes[0].insert(name.clone(), body);
            }
            ("assert", [body]) => {
                let t = self.term(body)?;
                if self.pool.sort(t) != Sort::Bool {
                    return bad("an assertion is not a truth value");
                }
                script.assertions.push(t);
            }
            _ => return bad(format!("cannot read command {head}")),
        }
        Ok(())
    }

    fn declare(&mut self, name: &str, params: &[Sexp], result: &Sexp) -> Result<(), ReadError> {
        let name = unspell(name);
        let args = params.iter().map(|s| self.sort(s)).collect::<Result<Vec<_>, _>>()?;
        let result = self.sort(result)?;
        if let Some(known) = self.pool.find_func(name) {
            let data = self.pool.func_data(known);
            if data.args != args || data.result != result {
                return bad(format!("{name} is declared twice"));
            }
        }
        self.pool.func(name, &args, result);
        Ok(())
    }

    fn sort(&mut self, s: &Sexp) -> Result<Sort, ReadError> {
        match s {
            Sexp::Atom(name) => Ok(match name.as_str() {
                "Bool" => Sort::Bool,
                "Int" => Sort::Int,
                _ => self.pool.named_sort(unspell(name)),
            }),
            Sexp::List(items) => match &items[..] {
                [Sexp::Atom(u), Sexp::Atom(bv), Sexp::Atom(w)] if u == "_" && bv == "BitVec" => {
                    Ok(Sort::BitVec(width(w)?))
                }
                [Sexp::Atom(array), index, element] if array == "Array" => {
                    self.array_sort(index, element)
                }
                _ => bad("cannot read sort"),
            },
            Sexp::Text(_) => bad("a string is no sort"),
        }
    }

    fn array_sort(&mut self, index: &Sexp, element: &Sexp) -> Result<Sort, ReadError> {
        let index = match self.sort(index)? {
            Sort::BitVec(w) => IndexSort::BitVec(w),
            Sort::Int => IndexSort::Int,
            _ => return bad("array indices are bit-vectors or integers"),
        };
        match self.sort(element)? {
            Sort::BitVec(element) => Ok(Sort::Array { index, element }),
            _ => bad("array elements are bit-vectors"),
        }
    }

    fn term(&mut self, s: &Sexp) -> Result<TermId, ReadError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return bad("a term nests too deep");
        }
        let t = match s {
            Sexp::Atom(a) => self.atom(a),
            Sexp::Text(_) => bad("a string is no term"),
            Sexp::List(items) => self.compound(items),
        };
        self.depth -= 1;
        t
    }

    fn atom(&mut self, a: &str) -> Result<TermId, ReadError> {
        if let Some(&t) = self.scopes.iter().rev().find_map(|scope| scope.get(a)) {
            return Ok(t);
        }
        match a {
            "true" => return Ok(self.pool.tt()),
            "false" => return Ok(self.pool.ff()),
            _ => {}
        }
        if let Some((width, bits)) = parse_bv_literal(a) {
            return Ok(self.pool.bv(width, bits));
        }
        if let Ok(n) = a.parse::<i128>() {
            return Ok(self.pool.int(n));
        }
        match user_symbol(a).and_then(|name| self.pool.find_func(name)) {
            Some(f) => self.apply(Op::Apply(f), &[]),
            None => bad(format!("unknown symbol {a}")),
        }
    }

    fn compound(&mut self, items: &[Sexp]) -> Result<TermId, ReadError> {
        match items {
            [Sexp::Atom(head), Sexp::List(bindings), body] if head == "let" => {
                self.let_term(bindings, body)
            }
            [Sexp::Atom(u), Sexp::Atom(value), Sexp::Atom(w)] if u == "_" => {
                match value.strip_prefix("bv").and_then(|v| v.parse::<u128>().ok()) {
                    Some(bits) => Ok(self.pool.bv(width(w)?, bits)),
                    None => bad(format!("cannot read {value}")),
                }
            }
            [Sexp::List(index), args @ ..] => {
                let op = indexed_op(index)?;
                let args = self.args(args)?;
                match op {
                    Op::ZeroExtend(0) | Op::SignExtend(0) if args.len() == 1 => Ok(args[0]),
                    _ => self.apply(op, &args),
                }
            }
            [Sexp::Atom(head), args @ ..] => {
                let args = self.args(args)?;
                self.named(head, &args)
            }
            _ => bad("cannot read term"),
        }
    }

    fn let_term(&mut self, bindings: &[Sexp], body: &Sexp) -> Result<TermId, ReadError> {
        let mut scope = FxHashMap::default();
        for binding in bindings {
            let Some([Sexp::Atom(name), value]) = binding.list() else {
                return bad("cannot read binding");
            };
            scope.insert(name.clone(), self.term(value)?);
        }
        self.scopes.push(scope);
        let t = self.term(body);
        self.scopes.pop();
        t
    }

    fn args(&mut self, args: &[Sexp]) -> Result<Vec<TermId>, ReadError> {
        args.iter().map(|a| self.term(a)).collect()
    }

    fn apply(&mut self, op: Op, args: &[TermId]) -> Result<TermId, ReadError> {
        if let Err(error) = self.pool.check_sorts(op, args) {
            return bad(error.to_string());
        }
        Ok(if self.simplify { self.pool.mk(op, args) } else { self.pool.raw(op, args) })
    }

    fn named(&mut self, head: &str, args: &[TermId]) -> Result<TermId, ReadError> {
        if let Some(f) = user_symbol(head).and_then(|name| self.pool.find_func(name)) {
            return self.apply(Op::Apply(f), args);
        }
        if let Some(op) = plain_op(head) {
            return match (op, args) {
                (Op::And | Op::Or | Op::BvAdd | Op::BvMul, &[single]) => Ok(single),
                (Op::Eq, [_, _, _, ..]) => self.chain(op, args),
                (Op::Concat, [a, b, rest @ ..]) if !rest.is_empty() => {
                    let first = self.apply(op, &[*a, *b])?;
                    let all: Vec<TermId> = [&[first], rest].concat();
                    self.named(head, &all)
                }
                _ => self.apply(op, args),
            };
        }
        self.derived(head, args)
    }

    fn chain(&mut self, op: Op, args: &[TermId]) -> Result<TermId, ReadError> {
        let links = args.windows(2).map(|pair| self.apply(op, pair));
        let links = links.collect::<Result<Vec<_>, _>>()?;
        self.apply(Op::And, &links)
    }

    fn derived(&mut self, head: &str, args: &[TermId]) -> Result<TermId, ReadError> {
        match (head, args) {
            ("bvugt", &[a, b]) => self.apply(Op::Ult, &[b, a]),
            ("bvuge", &[a, b]) => self.apply(Op::Ule, &[b, a]),
            ("bvsgt", &[a, b]) => self.apply(Op::Slt, &[b, a]),
            ("bvsge", &[a, b]) => self.apply(Op::Sle, &[b, a]),
            (">=", &[a, b]) => self.apply(Op::IntLe, &[b, a]),
            ("<", &[a, b]) => {
                let le = self.apply(Op::IntLe, &[b, a])?;
                self.apply(Op::Not, &[le])
            }
            (">", &[a, b]) => self.derived("<", &[b, a]),
            ("=>", &[a, b]) => {
                let not_a = self.apply(Op::Not, &[a])?;
                self.apply(Op::Or, &[not_a, b])
            }
            ("distinct", &[a, b]) => {
                let eq = self.apply(Op::Eq, &[a, b])?;
                self.apply(Op::Not, &[eq])
            }
            ("xor", &[a, b]) => self.derived("distinct", &[a, b]),
            ("bvneg", &[a]) => self.negated(a),
            ("bvsub", &[a, b]) => {
                let minus = self.negated(b)?;
                self.apply(Op::BvAdd, &[a, minus])
            }
            ("-", &[a]) => self.int_negated(a),
            ("-", &[a, b]) => {
                let minus = self.int_negated(b)?;
                self.apply(Op::IntAdd, &[a, minus])
            }
            _ => bad(format!("cannot read ({head} …) of {} arguments", args.len())),
        }
    }

    fn negated(&mut self, a: TermId) -> Result<TermId, ReadError> {
        let Sort::BitVec(width) = self.pool.sort(a) else { return bad("bvneg of no bit-vector") };
        let ones = self.pool.bv(width, u128::MAX);
        self.apply(Op::BvMul, &[ones, a])
    }

    fn int_negated(&mut self, a: TermId) -> Result<TermId, ReadError> {
        if let Some(n) = self.pool.as_int(a).and_then(i128::checked_neg) {
            return Ok(self.pool.int(n));
        }
        let minus_one = self.pool.int(-1);
        self.apply(Op::IntMul, &[minus_one, a])
    }
}

fn plain_op(head: &str) -> Option<Op> {
    const PLAIN: &[Op] = &[
        Op::Not,
        Op::And,
        Op::Or,
        Op::Eq,
        Op::Ite,
        Op::BvNot,
        Op::BvAdd,
        Op::BvMul,
        Op::BvUdiv,
        Op::BvUrem,
        Op::BvSdiv,
        Op::BvSrem,
        Op::BvSmod,
        Op::BvAnd,
        Op::BvOr,
        Op::BvXor,
        Op::BvShl,
        Op::BvLshr,
        Op::BvAshr,
        Op::Concat,
        Op::Ult,
        Op::Ule,
        Op::Slt,
        Op::Sle,
        Op::IntAdd,
        Op::IntMul,
        Op::IntDiv,
        Op::IntMod,
        Op::IntLe,
        Op::Select,
        Op::Store,
    ];
    PLAIN.iter().copied().find(|op| op.name() == head)
}

fn indexed_op(index: &[Sexp]) -> Result<Op, ReadError> {
    let words: Option<Vec<&str>> = index.iter().map(Sexp::atom).collect();
    let number = |s: &str| s.parse::<u32>().ok().filter(|&n| n <= MAX_WIDTH);
    match words.as_deref() {
        Some(["_", "extract", hi, lo]) => match (number(hi), number(lo)) {
            (Some(hi), Some(lo)) => Ok(Op::Extract { hi, lo }),
            _ => bad("cannot read extract"),
        },
        Some(["_", kind @ ("zero_extend" | "sign_extend"), by]) => match number(by) {
            Some(by) if *kind == "zero_extend" => Ok(Op::ZeroExtend(by)),
            Some(by) => Ok(Op::SignExtend(by)),
            None => bad("cannot read extension"),
        },
        _ => bad("cannot read indexed operation"),
    }
}

fn width(text: &str) -> Result<u32, ReadError> {
    match text.parse::<u32>() {
        Ok(w) if (1..=MAX_WIDTH).contains(&w) => Ok(w),
        _ => bad(format!("cannot have width {text}")),
    }
}

/// `#x1f` or `#b01` as width and bits.
pub(crate) fn parse_bv_literal(a: &str) -> Option<(u32, u128)> {
    let (digits, radix, per) = match a.strip_prefix("#x") {
        Some(hex) => (hex, 16, 4),
        None => (a.strip_prefix("#b")?, 2, 1),
    };
    let width = u32::try_from(digits.len()).ok()?.checked_mul(per)?;
    let valid = (1..=MAX_WIDTH).contains(&width) && digits.chars().all(|c| c.is_digit(radix));
    valid.then(|| u128::from_str_radix(digits, radix).ok().map(|bits| (width, bits)))?
}
