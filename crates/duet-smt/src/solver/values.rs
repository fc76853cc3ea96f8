//! Reading a solver's values.

use crate::op::Op;
use crate::pool::TermPool;
use crate::sort::{Sort, TermId};
use crate::text::{Sexp, parse_bv_literal, parse_sexps};
use crate::value::{ArrayValue, Model, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// The terms whose values make a model of `roots`: all constants, all
/// applications of functions with their arguments, all selects from array
/// symbols with their indices.
pub(super) fn model_terms(pool: &TermPool, roots: &[TermId]) -> Vec<TermId> {
    let mut wanted = FxHashSet::default();
    for t in pool.reachable(roots) {
        let entry = match pool.op(t) {
            Op::Apply(_) => true,
            Op::Select => matches!(pool.op(pool.args(t)[0]), Op::Apply(_)),
            _ => false,
        };
        if entry {
            wanted.insert(t);
            wanted.extend(pool.args(t));
        }
    }
    let mut wanted: Vec<TermId> = wanted.into_iter().collect();
    wanted.retain(|&t| !matches!(pool.sort(t), Sort::Array { .. }));
    wanted.sort_unstable();
    wanted
}

/// Values of `terms` from the reply to `get-value`, which lists them in order.
pub(super) fn parse_values(
    pool: &TermPool,
    terms: &[TermId],
    reply: &str,
) -> Option<FxHashMap<TermId, Value>> {
    let sexps = parse_sexps(reply).ok()?;
    let [Sexp::List(pairs)] = &sexps[..] else { return None };
    if pairs.len() != terms.len() {
        return None;
    }
    let mut named = BTreeMap::new();
    let mut values = FxHashMap::default();
    for (&t, pair) in terms.iter().zip(pairs) {
        let [_, value] = pair.list()? else { return None };
        values.insert(t, parse_value(pool.sort(t), value, &mut named)?);
    }
    Some(values)
}

fn parse_value(sort: Sort, value: &Sexp, named: &mut BTreeMap<String, u32>) -> Option<Value> {
    match sort {
        Sort::Bool => Some(Value::Bool(value.atom()?.parse().ok()?)),
        Sort::BitVec(width) => {
            let (found, bits) = parse_bits(value)?;
            (found == width).then(|| Value::bv(width, bits))
        }
        Sort::Int => parse_int(value).map(Value::Int),
        Sort::Named(_) => {
            let next = u32::try_from(named.len()).ok()?;
            let id = *named.entry(format!("{value:?}")).or_insert(next);
            Some(Value::Named(id))
        }
        Sort::Array { .. } => None,
    }
}

fn parse_bits(value: &Sexp) -> Option<(u32, u128)> {
    match value {
        Sexp::Atom(literal) => parse_bv_literal(literal),
        Sexp::List(items) => {
            let words: Option<Vec<&str>> = items.iter().map(Sexp::atom).collect();
            let [_, bits, width] = words?[..] else { return None };
            Some((width.parse().ok()?, bits.strip_prefix("bv")?.parse().ok()?))
        }
        Sexp::Text(_) => None,
    }
}

fn parse_int(value: &Sexp) -> Option<i128> {
    match value {
        Sexp::Atom(digits) => digits.parse().ok(),
        Sexp::List(items) => match &items[..] {
            [Sexp::Atom(minus), n] if minus == "-" => parse_int(n)?.checked_neg(),
            _ => None,
        },
        Sexp::Text(_) => None,
    }
}

/// A model with the given values of the [`model_terms`].
pub(super) fn build_model(pool: &TermPool, values: &FxHashMap<TermId, Value>) -> Model {
    let mut model = Model::new();
    let mut arrays: BTreeMap<TermId, ArrayValue> = BTreeMap::new();
    let mut terms: Vec<TermId> = values.keys().copied().collect();
    terms.sort_unstable();
    for t in terms {
        let args = pool.args(t);
        match pool.op(t) {
            Op::Apply(f) => {
                let args: Option<Vec<Value>> =
                    args.iter().map(|a| values.get(a).cloned()).collect();
                if let Some(args) = args {
                    model.set_at(f, args, values[&t].clone());
                }
            }
            Op::Select => {
                let Sort::BitVec(element) = pool.sort(t) else { continue };
                let Some(index) = values.get(&args[1]) else { continue };
                let empty = ArrayValue { entries: BTreeMap::new(), default: Value::bv(element, 0) };
                let array = arrays.remove(&args[0]).unwrap_or(empty);
                arrays.insert(args[0], array.set(index.clone(), values[&t].clone()));
            }
            _ => {}
        }
    }
    for (t, array) in arrays {
        if let Op::Apply(f) = pool.op(t) {
            model.set(f, Value::Array(Box::new(array)));
        }
    }
    model
}
