//! Elimination of arrays, for solvers and encodings that have none.
//!
//! `select(store(a, i, v), j)` becomes `ite(i = j, v, select(a, j))`, a select
//! from an `ite` of arrays an `ite` of selects, and a select from an array
//! symbol an application of a function symbol of its own. Without equality
//! between arrays (which is refused) the result has a model exactly if the
//! input has one: the functions *are* the arrays. Costs one `ite` per store
//! that a select may see.

use crate::op::Op;
use crate::pool::TermPool;
use crate::sort::{FuncId, Sort, TermId};
use crate::value::{ArrayValue, Model, Value};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Terms without arrays, and the functions that stand for array symbols.
#[derive(Clone, Debug, Default)]
pub struct EliminatedArrays {
    /// The rewritten terms, in the order given.
    pub terms: Vec<TermId>,
    /// Array symbol and the function that replaces it.
    pub functions: BTreeMap<FuncId, FuncId>,
}

/// An array is used other than by select, store and `ite`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("arrays can only be eliminated where none is compared or passed to a function")]
pub struct ArrayEscapes;

/// Rewrites `roots` to have no arrays.
pub fn eliminate_arrays(
    pool: &mut TermPool,
    roots: &[TermId],
) -> Result<EliminatedArrays, ArrayEscapes> {
    let order = pool.reachable(roots);
    let is_array = |t: &TermId| matches!(pool.sort(*t), Sort::Array { .. });
    if !order.iter().any(is_array) {
        return Ok(EliminatedArrays { terms: roots.to_vec(), functions: BTreeMap::new() });
    }
    if order.iter().any(|&t| escapes(pool, t)) {
        return Err(ArrayEscapes);
    }
    let mut functions = BTreeMap::new();
    let mut memo = FxHashMap::default();
    let terms = pool.rebuild(roots, |pool, t, args| match pool.op(t) {
        Op::Select => Some(read(pool, args[0], args[1], &mut functions, &mut memo)),
        _ => None,
    });
    Ok(EliminatedArrays { terms, functions })
}

fn escapes(pool: &TermPool, t: TermId) -> bool {
    let takes_array = pool.args(t).iter().any(|&a| matches!(pool.sort(a), Sort::Array { .. }));
    takes_array && !matches!(pool.op(t), Op::Select | Op::Store | Op::Ite)
}

type Memo = FxHashMap<(TermId, TermId), TermId>;

/// The element of `array` at `index`, without arrays. Walks the array's stores
/// with a stack of its own, innermost first.
fn read(
    pool: &mut TermPool,
    array: TermId,
    index: TermId,
    functions: &mut BTreeMap<FuncId, FuncId>,
    memo: &mut Memo,
) -> TermId {
    let mut work = vec![array];
    while let Some(&a) = work.last() {
        if memo.contains_key(&(a, index)) {
            work.pop();
            continue;
        }
        let args = pool.args(a).to_vec();
        let below = match pool.op(a) {
            Op::Store => &args[..1],
            Op::Ite => &args[1..],
            _ => &[],
        };
        let missing: Vec<TermId> =
            below.iter().copied().filter(|b| !memo.contains_key(&(*b, index))).collect();
        if !missing.is_empty() {
            work.extend(missing);
            continue;
        }
        let value = match pool.op(a) {
            Op::Store => {
                let same = pool.eq(args[1], index);
                pool.ite(same, args[2], memo[&(args[0], index)])
            }
            Op::Ite => pool.ite(args[0], memo[&(args[1], index)], memo[&(args[2], index)]),
            Op::Apply(f) => base_element(pool, f, index, functions),
            op => unreachable!("{op:?} makes no array"),
        };
        memo.insert((a, index), value);
        work.pop();
    }
    memo[&(array, index)]
}

fn base_element(
    pool: &mut TermPool,
    f: FuncId,
    index: TermId,
    functions: &mut BTreeMap<FuncId, FuncId>,
) -> TermId {
    let data = pool.func_data(f).clone();
    let Sort::Array { index: index_sort, element } = data.result else {
        unreachable!("an array symbol")
    };
    let name = format!("{}@elements", data.name);
    let function = pool.func(&name, &[index_sort.sort()], Sort::BitVec(element));
    functions.insert(f, function);
    pool.apply(function, &[index])
}

impl EliminatedArrays {
    /// Turns a model of the rewritten terms into one of the original terms.
    pub fn restore(&self, pool: &TermPool, model: &mut Model) {
        for (&array, &function) in &self.functions {
            let Sort::Array { element, .. } = pool.func_data(array).result else { continue };
            let table = model.remove(function).unwrap_or_default();
            let default = table.default.unwrap_or(Value::bv(element, 0));
            let mut value = ArrayValue { entries: BTreeMap::new(), default };
            for (args, element) in table.entries {
                let [index] = &args[..] else { continue };
                value = value.set(index.clone(), element);
            }
            model.set(array, Value::Array(Box::new(value)));
        }
    }
}
