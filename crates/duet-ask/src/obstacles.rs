//! What stood in the way of a proof: which loops, contents of memory and results of
//! operations the proof knows nothing of, as far as the failed question depends on
//! them.
//!
//! A question is about symbols. Launch sizes, ids, arguments and the contents of
//! arrays that are never written are exact: a state that differs only in these is a real
//! one. The rest was made unknown by an abstraction: the values of a loop that was
//! cut, memory that others write, float operations. Of these, those are to blame
//! whose value the answer depends on: with another value in their place the state
//! breaks nothing any more. What addresses depend on comes before what conditions do.
//! Where no state was found, because the solver gave up, the products of unknowns are
//! what makes the question hard.
//!
//! Nothing here decides a verdict; it explains one.

use std::collections::{BTreeMap, BTreeSet};

use duet_analysis::Loop;
use duet_ir::{Array, Cause, Inst, InstData, Value, ValueDef};
use duet_smt::solver::Answer;
use duet_smt::{ArrayValue, FuncId, Model, Op, TermId, Value as Number, eval, holds};

use duet_vc::{Origin, Side, Walker};

use crate::obstacle::{Obstacle, Variable};
use crate::source_terms::SourceTerms;

/// Obstacles that are listed.
const MOST_OBSTACLES: usize = 6;
/// Unknowns times terms up to which each unknown is tried with other values.
const MOST_WORK: usize = 200_000;

/// Where an unknown comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Unknowable {
    /// A loop that was cut, and its variable, if it is one.
    Loop(Loop, Option<Value>),
    /// What an array holds.
    Contents(Array),
    /// What an instruction yields.
    Result(Inst),
    /// An operation on floats, or a mathematical function.
    Function,
    /// Where an integer points to.
    Pointer,
}

/// How much an unknown may be to blame, the likeliest first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Blame {
    /// A run may never have this value: something was forgotten.
    Abstraction,
    /// The count of a loop's iterations: the value of each iteration is known.
    Count,
    /// The host may pass it: a run can have it.
    Input,
}

/// An unknown of a question.
struct Unknown {
    symbol: FuncId,
    origin: Unknowable,
    /// The thread it belongs to: 1 or 2; 0 if to both, or to the only one.
    thread: usize,
}

/// Looks for what stood in the way of proofs about a walker's terms.
pub(crate) struct Obstacles<'a>(pub(crate) &'a Walker<'a>);

impl Obstacles<'_> {
    /// What stood in the way of a proof that `what` cannot happen where `when` holds.
    pub(crate) fn of(&self, answer: &Answer, what: &[TermId], when: &[TermId]) -> Vec<Obstacle> {
        match answer {
            Answer::Unsat => vec![],
            Answer::Sat(model) => self.abstractions(model, what, when),
            Answer::Unknown(_) => self.products(&[what, when].concat()).into_iter().collect(),
        }
    }

    /// The elements that the terms read in a state: a search for runs tries them.
    pub(crate) fn elements_read(
        &self,
        model: &Model,
        terms: &[TermId],
    ) -> Vec<(String, BTreeMap<u64, u128>)> {
        let mut read: BTreeMap<String, BTreeMap<u64, u128>> = BTreeMap::new();
        for term in self.0.pool.reachable(terms) {
            let (Op::Select, [contents, index]) = (self.0.pool.op(term), self.0.pool.args(term))
            else {
                continue;
            };
            let Op::Apply(symbol) = self.0.pool.op(*contents) else { continue };
            let Some(Origin::Contents(array)) =
                self.0.symbols.get(symbol).map(|symbol| symbol.origin)
            else {
                continue;
            };
            let bits = |term| eval(&self.0.pool, model, term).ok().and_then(|value| value.bits());
            let data = &self.0.facts.module.arrays[array];
            if let (Some(offset), Some(element)) = (bits(*index), bits(term))
                && let Ok(index) = u64::try_from(offset / u128::from(data.granule.max(1)))
            {
                read.entry(data.name.clone()).or_default().insert(index, element);
            }
        }
        read.into_iter().collect()
    }

    /// The abstractions that a state owes its existence to.
    fn abstractions(&self, model: &Model, what: &[TermId], when: &[TermId]) -> Vec<Obstacle> {
        let all = [what, when].concat();
        let unknowns = self.unknowns(&all);
        // Each unknown means a few evaluations of everything.
        let too_large = unknowns.len() * self.0.pool.reachable(&all).len() > MOST_WORK;
        let below: Vec<FuncId> = self.unknowns(what).iter().map(|one| one.symbol).collect();
        let to_blame =
            [Blame::Abstraction, Blame::Count, Blame::Input].into_iter().find_map(|how| {
                let of_kind: Vec<&Unknown> =
                    unknowns.iter().filter(|one| self.blame(one.origin) == how).collect();
                let matters = |one: &&&Unknown| too_large || self.matters(model, &all, one.symbol);
                let direct = of_kind.iter().filter(|one| below.contains(&one.symbol));
                let choices: [Vec<&Unknown>; 3] = [
                    direct.filter(matters).copied().collect(),
                    of_kind.iter().filter(matters).copied().collect(),
                    of_kind.clone(),
                ];
                choices.into_iter().find(|choice| !choice.is_empty())
            });
        self.in_order(&to_blame.unwrap_or_default(), model)
    }

    /// How much an unknown may be to blame.
    fn blame(&self, origin: Unknowable) -> Blame {
        match origin {
            Unknowable::Loop(_, None) => Blame::Count,
            Unknowable::Contents(array) if self.0.facts.uses.is_never_written(array) => {
                Blame::Input
            }
            Unknowable::Loop(..)
            | Unknowable::Contents(_)
            | Unknowable::Result(_)
            | Unknowable::Function
            | Unknowable::Pointer => Blame::Abstraction,
        }
    }

    /// The obstacles of these unknowns, each once.
    fn in_order(&self, to_blame: &[&Unknown], model: &Model) -> Vec<Obstacle> {
        let mut list: Vec<Obstacle> = vec![];
        for unknown in to_blame {
            let obstacle = match unknown.origin {
                Unknowable::Loop(id, _) => self.weak_loop(id, to_blame, model),
                Unknowable::Contents(array) => self.unknown_contents(array),
                Unknowable::Result(inst) => self.unknown_result(inst),
                Unknowable::Function => Obstacle::Function,
                Unknowable::Pointer => {
                    let what = "pointers that are read from memory point to".to_string();
                    Obstacle::Result { what, line: None }
                }
            };
            if !list.contains(&obstacle) && list.len() < MOST_OBSTACLES {
                list.push(obstacle);
            }
        }
        list
    }

    /// The unknowns below some terms.
    fn unknowns(&self, goal: &[TermId]) -> Vec<Unknown> {
        let mut list: Vec<Unknown> = vec![];
        for term in self.0.pool.reachable(goal) {
            let Op::Apply(symbol) = self.0.pool.op(term) else { continue };
            if list.iter().any(|known| known.symbol == symbol) {
                continue;
            }
            let known = self.0.symbols.get(symbol);
            let thread = match known.and_then(|known| known.side) {
                Some(Side::First) => 1,
                Some(Side::Second) => 2,
                Some(Side::Alone | Side::Further(_)) | None => 0,
            };
            let unknown = match known {
                Some(known) => self.unknown(known.origin),
                None => Some(Unknowable::Function),
            };
            list.extend(unknown.map(|origin| Unknown { symbol, origin, thread }));
        }
        list
    }

    /// What makes a symbol unknown; none for sizes, ids and arguments.
    fn unknown(&self, origin: Origin) -> Option<Unknowable> {
        match origin {
            Origin::BlockSize(_)
            | Origin::GridSize(_)
            | Origin::ThreadId(..)
            | Origin::BlockId(..)
            | Origin::Argument(_)
            | Origin::Copied(_)
            | Origin::Fold(..)
            | Origin::Cell
            | Origin::Address => None,
            Origin::Contents(array) => Some(Unknowable::Contents(array)),
            Origin::Visits(id) => Some(Unknowable::Loop(id, None)),
            Origin::Pointer => Some(Unknowable::Pointer),
            Origin::Value(value) => match self.0.facts.func.values[value] {
                ValueDef::BlockParam(block, _) => {
                    Some(Unknowable::Loop(self.0.facts.loops.headed_by(block)?, Some(value)))
                }
                ValueDef::Result(inst, _) => Some(Unknowable::Result(inst)),
                ValueDef::Const(_) | ValueDef::FunctionParam(_) => None,
            },
        }
    }

    /// Does the state break nothing any more if the symbol has another value?
    fn matters(&self, model: &Model, goal: &[TermId], symbol: FuncId) -> bool {
        let data = self.0.pool.func_data(symbol);
        if !data.args.is_empty() {
            let mut other = model.clone();
            other.remove(symbol);
            return !holds(&self.0.pool, &other, goal);
        }
        let now = model.value(&self.0.pool, symbol, &[]);
        // Of an array that is the same everywhere it is not known which places count.
        if matches!(&now, Number::Array(array) if array.entries.is_empty()) {
            return true;
        }
        others(&now).into_iter().any(|value| {
            let mut other = model.clone();
            other.set(symbol, value);
            !holds(&self.0.pool, &other, goal)
        })
    }

    fn weak_loop(&self, id: Loop, to_blame: &[&Unknown], model: &Model) -> Obstacle {
        let words = SourceTerms::new(self.0.facts, id);
        let kept = self.0.invariants.of(id).iter();
        let invariants: Vec<String> = kept.map(|one| words.statement(&one.expr)).collect();
        let mut variables: Vec<Variable> = vec![];
        for unknown in to_blame {
            let Unknowable::Loop(of, value) = unknown.origin else { continue };
            let name = match value {
                Some(value) => self.0.facts.func.names[value].clone(),
                None => None,
            };
            let number = model.value(&self.0.pool, unknown.symbol, &[]);
            if of == id
                && let Some(state) = in_words(&number)
            {
                variables.push(Variable { name, thread: unknown.thread, value: state });
            }
        }
        variables.sort();
        let guard = words.guard();
        Obstacle::Loop { line: self.line_of_loop(id), variables, invariants, guard }
    }

    fn line_of_loop(&self, id: Loop) -> Option<u32> {
        let header = self.0.facts.loops.data(id).header;
        let insts = &self.0.facts.func.blocks[header].insts;
        insts.iter().find_map(|&inst| self.0.facts.line_of(inst))
    }

    fn unknown_contents(&self, array: Array) -> Obstacle {
        let func = self.0.facts.func;
        let mut lines = BTreeSet::new();
        let mut into = None;
        for inst in func.insts_in_order() {
            let InstData::Load { access, .. } = &func.insts[inst] else { continue };
            if access.array == array && !access.ghost {
                lines.extend(self.0.facts.line_of(inst));
                let results = func.results_of[inst].iter();
                into = into.or(results.filter_map(|&one| func.names[one].clone()).next());
            }
        }
        let is_written = !self.0.facts.uses.is_never_written(array);
        Obstacle::Contents { array, lines: lines.into_iter().collect(), is_written, into }
    }

    fn unknown_result(&self, inst: Inst) -> Obstacle {
        let what = match &self.0.facts.func.insts[inst] {
            InstData::Load { access, .. } => return self.unknown_contents(access.array),
            InstData::Atomic { .. } => "the atomic operation yields".to_string(),
            InstData::Exchange { .. } | InstData::BarrierReduce { .. } => {
                "the other threads contribute".to_string()
            }
            InstData::CallUnknown { name, .. } => format!("`{name}`, which has no body, yields"),
            InstData::Fresh { cause, .. } => match cause {
                Cause::UnknownFunction(name) | Cause::AssumedFunction(name) => {
                    format!("`{name}`, which has no body, yields")
                }
                Cause::Open(words) => format!("the source leaves open ({words})"),
                Cause::Allocated => "the source leaves open (allocated memory)".to_string(),
                Cause::BeyondTable(name) => format!("lies beyond the entries of `{name}`"),
            },
            InstData::Binary { .. } => "the division yields if the divisor is 0".to_string(),
            InstData::Unary { .. }
            | InstData::Cast { .. }
            | InstData::IntCompare { .. }
            | InstData::FloatCompare { .. }
            | InstData::Select { .. }
            | InstData::Pure { .. }
            | InstData::Geometry(_)
            | InstData::PtrToInt { .. }
            | InstData::IntToPtr { .. }
            | InstData::Store { .. }
            | InstData::Barrier { .. }
            | InstData::Fence { .. }
            | InstData::AsyncCopy { .. }
            | InstData::WaitEvents { .. }
            | InstData::Assert { .. }
            | InstData::Annotation { .. }
            | InstData::Ghost { .. }
            | InstData::Call { .. } => "this operation yields".to_string(),
        };
        Obstacle::Result { what, line: self.0.facts.line_of(inst) }
    }

    /// The name of a launch size or an argument.
    fn exact_name(&self, symbol: FuncId) -> Option<String> {
        match self.0.symbols.get(symbol)?.origin {
            Origin::BlockSize(dim) => Some(format!("blockDim.{dim}")),
            Origin::GridSize(dim) => Some(format!("gridDim.{dim}")),
            Origin::Argument(value) => {
                let mut params = self.0.facts.func.scalar_params();
                params.find(|param| param.value == value).map(|param| param.name.to_string())
            }
            Origin::ThreadId(..)
            | Origin::BlockId(..)
            | Origin::Contents(_)
            | Origin::Value(_)
            | Origin::Visits(_)
            | Origin::Copied(_)
            | Origin::Fold(..)
            | Origin::Cell
            | Origin::Address
            | Origin::Pointer => None,
        }
    }

    /// The sizes and arguments that are multiplied with other unknowns.
    fn products(&self, goal: &[TermId]) -> Option<Obstacle> {
        let (mut names, mut factors) = (BTreeSet::new(), vec![]);
        for term in self.0.pool.reachable(goal) {
            let is_product = matches!(
                self.0.pool.op(term),
                Op::BvMul | Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem
            );
            let unknown = |arg: &&TermId| !matches!(self.0.pool.op(**arg), Op::BvConst { .. });
            if !is_product || self.0.pool.args(term).iter().filter(unknown).count() < 2 {
                continue;
            }
            factors.extend(self.0.pool.args(term));
        }
        for below in self.0.pool.reachable(&factors) {
            let Op::Apply(symbol) = self.0.pool.op(below) else { continue };
            names.extend(self.exact_name(symbol));
        }
        (!names.is_empty()).then(|| Obstacle::Products { of: names.into_iter().collect() })
    }
}

/// Other values of the same sort: neighbours, and far ones.
fn others(value: &Number) -> Vec<Number> {
    match value {
        Number::Bool(now) => vec![Number::Bool(!now)],
        Number::Bv { width, bits } => {
            let (next, back) = (bits.wrapping_add(1), bits.wrapping_sub(1));
            [next, back, !bits, 0].map(|bits| Number::bv(*width, bits)).to_vec()
        }
        // Elsewhere, and at one place: two places that are equal in the state may
        // have to differ.
        Number::Array(array) => {
            let mut list = vec![];
            for default in others(&array.default) {
                list.push(ArrayValue { default, ..(**array).clone() });
            }
            for (index, element) in array.entries.iter().take(8) {
                let other = others(element).into_iter().next();
                list.extend(other.map(|other| (**array).clone().set(index.clone(), other)));
            }
            list.into_iter().map(|array| Number::Array(Box::new(array))).collect()
        }
        Number::Int(now) => vec![Number::Int(now.wrapping_add(1))],
        Number::Named(_) => vec![],
    }
}

/// A number as people write it.
fn in_words(value: &Number) -> Option<String> {
    match value {
        Number::Bool(truth) => Some(truth.to_string()),
        Number::Bv { width, bits } => {
            let unused = 128 - (*width).clamp(1, 128);
            Some((((bits << unused) as i128) >> unused).to_string())
        }
        Number::Int(_) | Number::Named(_) | Number::Array(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Number, in_words, others};

    #[test]
    fn other_values_differ() {
        let five = Number::bv(32, 5);
        assert!(others(&five).iter().all(|other| *other != five));
        assert_eq!(in_words(&Number::bv(32, u128::from(u32::MAX))), Some("-1".to_string()));
    }
}
