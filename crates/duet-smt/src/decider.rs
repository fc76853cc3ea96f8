//! The front: decides a conjunction of literals by the cheapest means.
//!
//! In order: the simplifier with what the literals say about each other, small models
//! where one is likely, the index algebra (whose proof is checked), the preferred
//! encoding on a solver, the other encoding. `Unsat` comes from one of these; `Sat` only with a model
//! under which the evaluator finds every literal true. What a solver claims
//! beyond that is `Unknown`.

use crate::algebra::{Refutation, check_refutation, is_about_products, refute_counting};
use crate::arrays::{EliminatedArrays, eliminate_arrays};
use crate::bv_to_int::{IntTranslation, translate_to_int};
use crate::data_to_int::translate_data;
use crate::eval::holds;
use crate::op::Op;
use crate::pool::TermPool;
use crate::repair::repaired_model;
use crate::solver::{Answer, CancelToken, Limits, Query, Reason, Solver, SolverError};
use crate::sort::{Sort, TermId};
use crate::value::Model;
use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};

/// How a question is put to a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// As bit-vectors, as it is.
    Bits,
    /// As integers, by [`translate_to_int`].
    Integers,
    /// What is read from memory and added up as integers, the rest as bit-vectors.
    Data,
}

/// Which encoding is tried first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Prefer {
    /// Integers if two symbolic values are multiplied or divided, else bits.
    #[default]
    Auto,
    /// Bit-vectors first.
    Bits,
    /// Integers first.
    Integers,
    /// Data as integers first, if such a question adds up what is read.
    Data,
}

/// What may be used, and what it may cost.
#[derive(Clone, Copy, Debug)]
pub struct DeciderOptions {
    /// Whether the index algebra is asked.
    pub algebra: bool,
    /// Whether solvers are asked.
    pub solvers: bool,
    /// Limits of the preferred encoding.
    pub first: Limits,
    /// Limits of the other one; `None` leaves it out.
    pub second: Option<Limits>,
    /// Only what takes a few milliseconds is tried.
    pub brief: bool,
    /// A model is likely: small ones are looked for before a solver is asked.
    pub repair: bool,
}

impl Default for DeciderOptions {
    fn default() -> Self {
        let short = Limits::units(10_000_000);
        DeciderOptions {
            algebra: true,
            solvers: true,
            first: Limits::default(),
            second: Some(short),
            brief: false,
            repair: false,
        }
    }
}

/// Work of the algebra on the first try. A search in vain takes as long as a few easy
/// questions to a solver; but where every question ends here, no solver is started, which
/// saves a quarter of the time of a small kernel.
const BRIEF_FUEL: u32 = 1000;
/// Work of the algebra when a first try of the solver told nothing.
const FULL_FUEL: u32 = 3000;
/// The same where symbols are multiplied. If the question is about products, it is spent
/// before a solver is asked: solvers are of little help there, and may take seconds over what
/// counts as little work. Copies with two and three free sizes took 0.5 s and 3 s with a
/// solver first, 0.1 s and 0.5 s so.
const FUEL_FOR_PRODUCTS: u32 = 60_000;
/// Units of z3's count that a unit of the algebra's fuel is worth, by the time that both
/// take, and an application of the simplifier.
const UNITS_OF_FUEL: u64 = 200;
const UNITS_OF_TERM: u64 = 2;
/// The solver's resources on the first try, about thirty milliseconds.
pub(crate) const BRIEF_RESOURCES: u64 = 300_000;

/// What a decider may use for all its questions, whatever their options say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Whether the index algebra may be asked.
    pub algebra: bool,
    /// The encoding of questions that prefer none.
    pub prefer: Prefer,
}

impl Default for Policy {
    fn default() -> Policy {
        Policy { algebra: true, prefer: Prefer::Auto }
    }
}

/// One question to the decider.
#[derive(Clone, Debug, Default)]
pub struct Question<'a> {
    /// The conjunction.
    pub literals: &'a [TermId],
    /// Which encoding first.
    pub prefer: Prefer,
    /// What is being checked, for logs.
    pub about: &'a str,
    /// Stops early.
    pub cancel: CancelToken,
}

/// Who decided.
#[derive(Clone, Debug)]
pub enum DecidedBy {
    /// The literals simplified to a truth value.
    Simplifier,
    /// A model was found by mending zeros.
    Repair,
    /// The index algebra, with its proof.
    Algebra(Box<Refutation>),
    /// A solver, by this encoding.
    Solver(Encoding, String),
    /// No engine did.
    Nobody,
}

impl DecidedBy {
    /// One word for statistics.
    pub fn word(&self) -> &'static str {
        match self {
            DecidedBy::Simplifier => "simplifier",
            DecidedBy::Repair => "repair",
            DecidedBy::Algebra(_) => "algebra",
            DecidedBy::Solver(Encoding::Bits, _) => "bits",
            DecidedBy::Solver(Encoding::Integers, _) => "integers",
            DecidedBy::Solver(Encoding::Data, _) => "data",
            DecidedBy::Nobody => "nobody",
        }
    }
}

/// An answer, who gave it, and how long it took.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The answer.
    pub answer: Answer,
    /// Who gave it.
    pub by: DecidedBy,
    /// All in all.
    pub took: Duration,
    /// Sums and products not shown free of wrapping, if integers were tried:
    /// with these as separate obligations a caller may succeed.
    pub may_wrap: Vec<TermId>,
}

/// How often each means decided.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeciderStatistics {
    /// By the words of [`DecidedBy::word`].
    pub decided: std::collections::BTreeMap<&'static str, u64>,
    /// Proofs of the algebra that the checker refused: a defect of ours.
    pub refused_proofs: u64,
    /// Models of a solver that the evaluator refused.
    pub refused_models: u64,
    /// Time spent in solvers.
    pub in_solvers: Duration,
    /// Work of solvers, of the algebra and on terms, in units of z3's resource count. The
    /// same on every run.
    pub work: u64,
}

/// Decides conjunctions with the help of a solver.
pub struct Decider {
    solver: Box<dyn Solver>,
    options: DeciderOptions,
    policy: Policy,
    statistics: DeciderStatistics,
    /// Conjunctions of this pool on which the algebra spent so much in vain: it
    /// would only fail again.
    in_vain: FxHashMap<Vec<TermId>, u32>,
    pool: Option<u64>,
}

impl Decider {
    /// With this solver.
    pub fn new(solver: Box<dyn Solver>, options: DeciderOptions) -> Self {
        Decider {
            solver,
            options,
            policy: Policy::default(),
            statistics: DeciderStatistics::default(),
            in_vain: FxHashMap::default(),
            pool: None,
        }
    }

    /// The same, under a policy.
    pub fn with_policy(self, policy: Policy) -> Self {
        Decider { policy, ..self }
    }

    /// Who decided how much so far.
    pub fn statistics(&self) -> &DeciderStatistics {
        &self.statistics
    }

    /// Other means and limits for the questions to come.
    pub fn set_options(&mut self, options: DeciderOptions) {
        self.options = options;
    }

    /// The solver, for other questions. It is reset before each of ours.
    pub fn solver(&mut self) -> &mut dyn Solver {
        &mut *self.solver
    }

    /// Decides a conjunction.
    pub fn decide(
        &mut self,
        pool: &mut TermPool,
        question: &Question<'_>,
    ) -> Result<Decision, SolverError> {
        let start = Instant::now();
        let made = pool.work.made();
        let mut may_wrap = Vec::new();
        let (mut answer, by) = self.run(pool, question, &mut may_wrap)?;
        if matches!(answer, Answer::Unknown(_)) && pool.work.is_late_now() {
            answer = Answer::Unknown(Reason::Timeout);
        }
        self.statistics.work += (pool.work.made() - made) * UNITS_OF_TERM;
        // A question that no solver was to be asked is asked again.
        if self.options.solvers || !matches!(by, DecidedBy::Nobody) {
            self.count(&by);
        }
        Ok(Decision { answer, by, took: start.elapsed(), may_wrap })
    }

    /// Counts a decision.
    pub(crate) fn count(&mut self, by: &DecidedBy) {
        *self.statistics.decided.entry(by.word()).or_default() += 1;
    }

    fn run(
        &mut self,
        pool: &mut TermPool,
        question: &Question<'_>,
        may_wrap: &mut Vec<TermId>,
    ) -> Result<(Answer, DecidedBy), SolverError> {
        let simple = simplify_conjunction(pool, question.literals);
        if simple.iter().any(|&t| pool.as_bool(t) == Some(false)) {
            return Ok((Answer::Unsat, DecidedBy::Simplifier));
        }
        if holds(pool, &Model::new(), question.literals) {
            return Ok((Answer::Sat(Model::new()), DecidedBy::Simplifier));
        }
        if let Some(model) = self.repaired(pool, &simple, question.literals) {
            return Ok((Answer::Sat(model), DecidedBy::Repair));
        }
        if let Some(by) = self.ask_algebra(pool, &simple, brief_fuel(pool, &simple)) {
            return Ok((Answer::Unsat, by));
        }
        if self.options.solvers {
            return self.ask_solvers(pool, question, &simple, may_wrap);
        }
        let proved = match self.options.brief {
            true => None,
            false => self.ask_algebra(pool, &simple, full_fuel(pool, &simple)),
        };
        Ok(match proved {
            Some(by) => (Answer::Unsat, by),
            None => (Answer::Unknown(Reason::Incomplete), DecidedBy::Nobody),
        })
    }

    /// A small model, where one is likely. It is looked for where the literals are simple,
    /// and counts if they hold as they are.
    fn repaired(&self, pool: &TermPool, simple: &[TermId], literals: &[TermId]) -> Option<Model> {
        let model = self.options.repair.then(|| repaired_model(pool, simple))??;
        holds(pool, &model, literals).then_some(model)
    }

    /// The algebra with so much work, if it is to be asked.
    fn ask_algebra(
        &mut self,
        pool: &mut TermPool,
        literals: &[TermId],
        fuel: u32,
    ) -> Option<DecidedBy> {
        if !(self.options.algebra && self.policy.algebra) {
            return None;
        }
        let refutation = self.refute(pool, literals, fuel)?;
        Some(DecidedBy::Algebra(Box::new(refutation)))
    }

    /// A refutation that the checker accepts.
    // SOUNDNESS: an unchecked proof would make a defect of the search a defect
    // of the verifier (tests/algebra.rs, `the_checker_rejects_changed_proofs`).
    fn refute(
        &mut self,
        pool: &mut TermPool,
        literals: &[TermId],
        fuel: u32,
    ) -> Option<Refutation> {
        if self.pool != Some(pool.identity()) {
            self.in_vain.clear();
            self.pool = Some(pool.identity());
        }
        if self.in_vain.get(literals).is_some_and(|&spent| spent >= fuel) {
            return None;
        }
        let mut spent = 0;
        let refutation = refute_counting(pool, literals, fuel, &mut spent);
        self.statistics.work += spent * UNITS_OF_FUEL;
        let Some(refutation) = refutation else {
            self.in_vain.insert(literals.to_vec(), fuel);
            return None;
        };
        match check_refutation(pool, literals, &refutation) {
            Ok(()) => Some(refutation),
            Err(error) => {
                self.statistics.refused_proofs += 1;
                debug_assert!(false, "the algebra made a wrong proof: {error}");
                None
            }
        }
    }

    fn ask_solvers(
        &mut self,
        pool: &mut TermPool,
        question: &Question<'_>,
        simple: &[TermId],
        may_wrap: &mut Vec<TermId>,
    ) -> Result<(Answer, DecidedBy), SolverError> {
        let flat = eliminate_arrays(pool, simple).unwrap_or_else(|_| EliminatedArrays {
            terms: simple.to_vec(),
            ..EliminatedArrays::default()
        });
        let prefer = match self.preferred(question.prefer) {
            Prefer::Data if translate_data(pool, &flat.terms).is_none() => Prefer::Bits,
            own => own,
        };
        let mut order = encodings(pool, prefer, &flat.terms);
        if !self.solver.has_integers() {
            order.retain(|encoding| *encoding == Encoding::Bits);
        }
        let mut tries: Vec<(Encoding, Limits)> = vec![];
        // A short look at such a question is in vain, and so is one of the algebra.
        let is_hopeless = !self.options.brief && is_long_with_shifts(pool, &flat.terms);
        if self.solver.answers_briefly() && !is_hopeless {
            let resources = Some(BRIEF_RESOURCES);
            tries.push((order[0], Limits { resources, ..self.options.first }));
        }
        let brief = tries.len();
        if !self.options.brief || brief == 0 {
            let limits = [Some(self.options.first), self.options.second];
            let full = order.into_iter().zip(limits);
            tries.extend(full.map_while(|(encoding, limits)| Some((encoding, limits?))));
        }
        let mut reason = Reason::Incomplete;
        for (number, (encoding, limits)) in tries.into_iter().enumerate() {
            if number == brief
                && !is_hopeless
                && let Some(by) = self.ask_algebra(pool, simple, full_fuel(pool, simple))
            {
                return Ok((Answer::Unsat, by));
            }
            let answer = match encoding {
                Encoding::Bits => self.ask_bits(pool, question, &flat, limits)?,
                Encoding::Integers => {
                    let translation = translate_to_int(pool, &flat.terms).ok();
                    if let Some(asked) = &translation {
                        may_wrap.clone_from(&asked.may_wrap);
                    }
                    self.ask_ints(pool, question, &flat, limits, translation.as_ref())?
                }
                Encoding::Data => {
                    let translation = translate_data(pool, &flat.terms);
                    self.ask_ints(pool, question, &flat, limits, translation.as_ref())?
                }
            };
            match answer {
                Answer::Unknown(why) => reason = why,
                definite => {
                    let by = DecidedBy::Solver(encoding, self.solver.name());
                    return Ok((definite, by));
                }
            }
            if question.cancel.is_cancelled() {
                reason = Reason::Cancelled;
                break;
            }
            if limits.fence.is_past() {
                reason = Reason::Timeout;
                break;
            }
        }
        Ok((Answer::Unknown(reason), DecidedBy::Nobody))
    }

    /// The encoding of a question that prefers this one.
    pub(crate) fn preferred(&self, own: Prefer) -> Prefer {
        match own {
            Prefer::Auto => self.policy.prefer,
            own => own,
        }
    }

    fn ask(
        &mut self,
        pool: &TermPool,
        question: &Question<'_>,
        assertions: &[TermId],
        limits: Limits,
    ) -> Result<Answer, SolverError> {
        self.solver.reset();
        assertions.iter().for_each(|&t| self.solver.assert(t));
        let cancel = question.cancel.clone();
        self.ask_solver(pool, &Query { assumptions: &[], limits, cancel, about: question.about })
    }

    /// Asks about what the solver was told.
    pub(crate) fn ask_solver(
        &mut self,
        pool: &TermPool,
        query: &Query<'_>,
    ) -> Result<Answer, SolverError> {
        let start = Instant::now();
        let answer = self.solver.check(pool, query);
        self.statistics.in_solvers += start.elapsed();
        self.statistics.work += self.solver.last_work();
        answer
    }

    fn ask_bits(
        &mut self,
        pool: &TermPool,
        question: &Question<'_>,
        flat: &EliminatedArrays,
        limits: Limits,
    ) -> Result<Answer, SolverError> {
        // z3 keeps to its way of answering in scopes until it is reset, even if none is open,
        // and takes forty times as long so where shifts have unknown amounts.
        let is_long = limits.resources.is_none_or(|units| units > BRIEF_RESOURCES);
        if is_long && has_symbolic_shift(pool, &pool.reachable(&flat.terms)) {
            self.solver.forget();
        }
        let answer = self.ask(pool, question, &flat.terms, limits)?;
        Ok(match answer {
            Answer::Sat(model) => self.checked_model(pool, question, flat, model),
            other => other,
        })
    }

    fn ask_ints(
        &mut self,
        pool: &mut TermPool,
        question: &Question<'_>,
        flat: &EliminatedArrays,
        limits: Limits,
        translation: Option<&IntTranslation>,
    ) -> Result<Answer, SolverError> {
        let Some(translation) = translation else {
            return Ok(Answer::Unknown(Reason::Incomplete));
        };
        let answer = self.ask(pool, question, &translation.assertions, limits)?;
        Ok(match answer {
            Answer::Sat(model) => {
                let model = translation.restore(pool, &model);
                self.checked_model(pool, question, flat, model)
            }
            other => other,
        })
    }

    /// A model counts only if the evaluator agrees.
    pub(crate) fn checked_model(
        &mut self,
        pool: &TermPool,
        question: &Question<'_>,
        flat: &EliminatedArrays,
        mut model: Model,
    ) -> Answer {
        flat.restore(pool, &mut model);
        if holds(pool, &model, question.literals) {
            return Answer::Sat(model);
        }
        self.statistics.refused_models += 1;
        Answer::Unknown(Reason::Incomplete)
    }
}

/// The encodings in the order they are tried. A question without bit-vectors
/// has one.
pub(crate) fn encodings(pool: &TermPool, prefer: Prefer, terms: &[TermId]) -> Vec<Encoding> {
    let below = pool.reachable(terms);
    if !below.iter().any(|&t| pool.sort(t).width().is_some()) {
        return vec![Encoding::Bits];
    }
    let integers_first = match prefer {
        Prefer::Bits => false,
        Prefer::Integers => true,
        Prefer::Data => return vec![Encoding::Data, Encoding::Bits],
        Prefer::Auto => {
            below.iter().any(|&t| is_symbolic_product(pool, t))
                && !below.iter().any(|&t| is_symbolic_shift(pool, t))
        }
    };
    if integers_first {
        vec![Encoding::Integers, Encoding::Bits]
    } else {
        vec![Encoding::Bits, Encoding::Integers]
    }
}

/// What the algebra may spend on these literals.
fn full_fuel(pool: &TermPool, literals: &[TermId]) -> u32 {
    let below = pool.reachable(literals);
    match below.iter().any(|&t| is_symbolic_product(pool, t)) {
        true => FUEL_FOR_PRODUCTS,
        false => FULL_FUEL,
    }
}

/// Work of the algebra before a solver is asked. What depends on shifts by unknown amounts
/// is beyond it, and not beyond solvers.
fn brief_fuel(pool: &TermPool, literals: &[TermId]) -> u32 {
    let shifts = || pool.reachable(literals).iter().any(|&t| is_symbolic_shift(pool, t));
    match is_about_products(pool, literals) && !shifts() {
        true => FUEL_FOR_PRODUCTS,
        false => BRIEF_FUEL,
    }
}

/// Are two symbolic values multiplied, or divided?
fn is_symbolic_product(pool: &TermPool, t: TermId) -> bool {
    let symbolic = |t: &&TermId| !pool.is_literal_constant(**t);
    match pool.op(t) {
        Op::BvMul => pool.args(t).iter().filter(symbolic).count() > 1,
        Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem => symbolic(&&pool.args(t)[1]),
        _ => false,
    }
}

/// Is the amount of a shift unknown?
fn is_symbolic_shift(pool: &TermPool, t: TermId) -> bool {
    let is_shift = matches!(pool.op(t), Op::BvShl | Op::BvLshr | Op::BvAshr);
    is_shift && !pool.is_literal_constant(pool.args(t)[1])
}

/// Does one of the terms shift by an unknown amount?
fn has_symbolic_shift(pool: &TermPool, terms: &[TermId]) -> bool {
    terms.iter().any(|&t| is_symbolic_shift(pool, t))
}

/// Terms below which a question with unknown shifts is not long.
const LONG: usize = 400;

/// Is it a long question with shifts by unknown amounts?
fn is_long_with_shifts(pool: &TermPool, literals: &[TermId]) -> bool {
    let below = pool.reachable(literals);
    below.len() >= LONG && has_symbolic_shift(pool, &below)
}

/// Rounds of rewriting literals by one another.
const ROUNDS: usize = 4;

/// Rewrites literals by what the others say: a literal is true elsewhere, its
/// negation false, and a symbol that equals a term is that term elsewhere.
///
/// In a model of all literals every such replacement is of equals by equals, so
/// it is a model of the result: `unsat` of the result is `unsat` of the literals.
/// (Conversely a model of the result may fail the literals where rewrites hide
/// one another; models are checked against the literals anyway.)
pub fn simplify_conjunction(pool: &mut TermPool, literals: &[TermId]) -> Vec<TermId> {
    let mut current = flatten(pool, literals);
    for _ in 0..ROUNDS {
        let next = rewrite_once(pool, &current);
        let next = flatten(pool, &next);
        if next == current {
            break;
        }
        current = next;
    }
    current
}

/// Conjuncts, each once, without `true`.
fn flatten(pool: &mut TermPool, literals: &[TermId]) -> Vec<TermId> {
    let all = pool.and(literals);
    match pool.op(all) {
        Op::And => pool.args(all).to_vec(),
        Op::True => Vec::new(),
        _ => vec![all],
    }
}

fn rewrite_once(pool: &mut TermPool, literals: &[TermId]) -> Vec<TermId> {
    let rules = Rules::new(pool, literals);
    let mut out = Vec::with_capacity(literals.len());
    for &literal in literals {
        // A literal is not rewritten by itself. Of two equal symbols only one
        // direction is a rule, so two literals never erase each other.
        let new = match pool.work.is_late() {
            true => literal,
            false => pool.rebuild(&[literal], |_, t, _| rules.get(t, literal))[0],
        };
        out.push(new);
    }
    out
}

/// What terms stand for, each with the literal that says so.
struct Rules {
    map: FxHashMap<TermId, (TermId, TermId)>,
}

impl Rules {
    fn new(pool: &mut TermPool, literals: &[TermId]) -> Self {
        let mut rules = Rules { map: FxHashMap::default() };
        let (tt, ff) = (pool.tt(), pool.ff());
        for &literal in literals {
            let negation = pool.not(literal);
            rules.map.insert(literal, (tt, literal));
            rules.map.insert(negation, (ff, literal));
        }
        for &literal in literals {
            if let Some((symbol, value)) = defining(pool, literal) {
                rules.add_definition(pool, symbol, value, literal);
            }
        }
        rules
    }

    /// Adds `symbol → value`, unless the symbol or a symbol of the value has a
    /// rule already or depends on this one: rules never chase each other.
    fn add_definition(&mut self, pool: &TermPool, symbol: TermId, value: TermId, by: TermId) {
        let below = pool.reachable(&[value]);
        let busy = |t: &TermId| *t == symbol || self.is_defined(pool, *t);
        if self.map.contains_key(&symbol) || below.iter().any(busy) {
            return;
        }
        let used = self.map.values().any(|(v, _)| pool.reachable(&[*v]).contains(&symbol));
        if !used {
            self.map.insert(symbol, (value, by));
        }
    }

    fn is_defined(&self, pool: &TermPool, t: TermId) -> bool {
        pool.sort(t) != Sort::Bool && self.map.contains_key(&t)
    }

    fn get(&self, t: TermId, inside: TermId) -> Option<TermId> {
        self.map.get(&t).filter(|(_, by)| *by != inside).map(|(value, _)| *value)
    }
}

/// `symbol = value`, read from an equality with a symbol on one side. Between
/// two symbols the newer one is replaced. A product is no value: where `pitch` is
/// `blockDim.x * gridDim.x`, `y * pitch` would become a product of three, and nothing
/// that is known of the two would say whether it fits.
fn defining(pool: &TermPool, literal: TermId) -> Option<(TermId, TermId)> {
    if pool.op(literal) != Op::Eq {
        return None;
    }
    let is_symbol = |t: TermId| matches!(pool.op(t), Op::Apply(_)) && pool.args(t).is_empty();
    let [a, b] = *pool.args(literal) else { return None };
    if [a, b].iter().any(|&side| is_symbolic_product(pool, side)) {
        return None;
    }
    match (is_symbol(a), is_symbol(b)) {
        (true, true) => Some((a.max(b), a.min(b))),
        (true, false) => Some((a, b)),
        (false, true) => Some((b, a)),
        (false, false) => None,
    }
}
