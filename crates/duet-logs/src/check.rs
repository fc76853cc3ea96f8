//! The check of a kernel by logs: one thread alone, two threads of a block, two threads of
//! different blocks, one after the other.

use crate::walk::instructions::{depends_on_two, names_other};
use crate::walk::states::nothing_remembered;
use std::collections::{BTreeMap, BTreeSet};

use duet_analysis::{ClosedForm, Extent};
use duet_ask::{Asker, Effort};
use duet_infer::Selection;
use duet_ir::{AnnotationKind, Array, BarrierScope, Block, Inst, InstData, Rule, Type};
use duet_product::KernelFacts;
use duet_smt::solver::{Answer, Reason, SolverError};
use duet_smt::{Model, Sort, TermId, TermPool, eval};
use duet_vc::{Expr, Geometry, InRange, LoopView, Premises, Side, ThreadTerms};

use crate::facts::Known;
use crate::houdini::Houdini;
use crate::log::{Entry, Key, Site};
use crate::options::{Instrumenter, LogOptions};
use crate::rules;
use crate::statement::{Candidate, Statement};
use crate::walk::{Lockstep, Obligation, Row, Setting, Thread, What, kind_in, lanes_meet};

/// What a kernel is checked for.
#[derive(Clone, Copy)]
pub struct Task<'k> {
    /// The kernel.
    pub facts: &'k KernelFacts<'k>,
    /// The launch and the arguments.
    pub premises: &'k Premises,
    /// How.
    pub options: &'k LogOptions,
    /// The rules that make up candidates.
    pub selection: &'k Selection,
    /// Make up candidates at all.
    pub guesses: bool,
    /// Arithmetic that is assumed to stay in range.
    pub in_range: &'k InRange,
    /// Look for races.
    pub races: bool,
    /// Look at threads of different blocks.
    pub grid: bool,
    /// A thread that returned before a barrier is tolerated.
    pub tolerates_exits: bool,
    /// Two writes of the same value are no race.
    pub tolerates_benign: bool,
    /// Accesses must stay inside these arrays, which have these sizes if they are known.
    pub sizes: &'k BTreeMap<Array, Option<u64>>,
}

/// Something that was not proved, or a warning.
#[derive(Clone, PartialEq, Debug)]
pub struct Found {
    /// What.
    pub rule: Rule,
    /// It is tolerated: everything else was proved.
    pub is_tolerated: bool,
    /// Where.
    pub primary: Option<Inst>,
    /// The other access.
    pub secondary: Option<Inst>,
    /// Why.
    pub why: Open,
}

/// Why something is not proved.
#[derive(Clone, PartialEq, Debug)]
pub enum Open {
    /// There is a state in which it happens; it may be unreachable.
    State,
    /// It was not decided.
    Undecided(Reason),
    /// This is not modelled.
    NotModelled(&'static str),
    /// It is an invariant that may fail.
    NotKept,
}

/// What came of the check.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// What was found.
    pub found: Vec<Found>,
    /// Candidates made, by rule.
    pub made: BTreeMap<&'static str, usize>,
    /// Candidates kept, by rule.
    pub kept: BTreeMap<&'static str, usize>,
    /// Rounds of the search for invariants.
    pub rounds: u32,
}

/// Checks a kernel by logs.
pub fn check(
    task: &Task<'_>,
    pool: &mut TermPool,
    asker: &mut Asker<'_>,
) -> Result<Outcome, SolverError> {
    let mut outcome = Outcome { found: not_modelled(task.facts), ..Outcome::default() };
    if !task.facts.loops.is_reducible() {
        outcome.found.push(unmodelled(None, "loops with two entries"));
    }
    if !outcome.found.is_empty() {
        return Ok(outcome);
    }
    let geometry = task.premises.geometry_terms(pool, task.facts.func);
    let mut checker = Checker { task, pool, asker, geometry, outcome };
    let guessed = checker.own_candidates();
    let own = checker.row(Row::Alone, guessed, &[])?;
    checker.row(Row::Block, vec![], &own)?;
    let blocks = &task.premises.launch.grid;
    if task.grid && blocks.iter().any(|size| *size != Extent::Number(1)) {
        checker.row(Row::Grid, vec![], &own)?;
    }
    Ok(checker.outcome)
}

fn unmodelled(inst: Option<Inst>, what: &'static str) -> Found {
    Found {
        rule: Rule::NotModelled,
        is_tolerated: false,
        primary: inst,
        secondary: None,
        why: Open::NotModelled(what),
    }
}

/// Not everything was asked.
///
/// SOUNDNESS: what was not asked is not proved (test `what_is_not_asked_is_not_proved`).
fn out_of_time() -> Found {
    Found { rule: Rule::TimeLimit, why: Open::Undecided(Reason::Timeout), ..unmodelled(None, "") }
}

/// Instructions that the walk does not cover.
///
/// SOUNDNESS: each is a finding, so that a kernel that has one is never proved (test
/// `wrong_kernels_are_never_proved`).
fn not_modelled(facts: &KernelFacts<'_>) -> Vec<Found> {
    use AnnotationKind::*;
    let mut found = vec![];
    for inst in facts.func.insts_in_order() {
        let what = match &facts.func.insts[inst] {
            InstData::AsyncCopy { .. } | InstData::WaitEvents { .. } => "asynchronous copies",
            InstData::Barrier { scope: BarrierScope::Warp, arg: None } => "barriers of a warp",
            data if data.lane_mask().is_some_and(|mask| {
                !facts.block_of(inst).is_some_and(|block| lanes_meet(facts, block, mask))
            }) =>
            {
                "masks of a warp whose lanes may not all come by"
            }
            InstData::Call { .. } => "calls that are not inlined",
            InstData::CallUnknown { .. } => "functions without a body",
            // SOUNDNESS: in lock step two threads come to it together, which they need not:
            // kernels/contracts/uniform-in-loop-bug, assumed-later-bug.
            InstData::Assert { .. } | InstData::Annotation { kind: Assume | Invariant, .. }
                if names_other(facts.func, inst) =>
            {
                "statements about two threads"
            }
            InstData::Annotation { kind: Invariant | GlobalInvariant, .. }
                if !is_at_a_head(facts, inst) =>
            {
                found.push(Found { rule: Rule::MisplacedAnnotation, ..unmodelled(Some(inst), "") });
                continue;
            }
            InstData::Annotation { kind, .. } => match kind {
                BarrierInvariant | BarrierInvariantBinary | CellInvariant => {
                    "barrier invariants by logs"
                }
                // SOUNDNESS: a claim about every access is not shown by the heads of loops
                // (test `claims_about_a_whole_function_are_not_passed_over`).
                FunctionWideInvariant => "claims about a whole function",
                Ensures | GlobalEnsures => "postconditions",
                ArraySnapshot => "snapshots of arrays",
                Requires
                | GlobalRequires
                | Assume
                | CandidateAssert
                | CandidateGlobalAssert
                | Invariant
                | GlobalInvariant
                | CandidateInvariant
                | CandidateGlobalInvariant
                | FunctionWideCandidateInvariant
                | Axiom
                | Contract
                | Verified
                | ReadsFrom
                | WritesTo
                | Captured => continue,
            },
            InstData::Binary { .. }
            | InstData::Unary { .. }
            | InstData::Cast { .. }
            | InstData::IntCompare { .. }
            | InstData::FloatCompare { .. }
            | InstData::Select { .. }
            | InstData::Pure { .. }
            | InstData::Fresh { .. }
            | InstData::Geometry(_)
            | InstData::PtrToInt { .. }
            | InstData::IntToPtr { .. }
            | InstData::Load { .. }
            | InstData::Store { .. }
            | InstData::Atomic { .. }
            | InstData::Barrier { .. }
            | InstData::BarrierReduce { .. }
            | InstData::Fence { .. }
            | InstData::Exchange { .. }
            | InstData::Assert { .. }
            | InstData::Ghost { .. } => continue,
        };
        found.push(unmodelled(Some(inst), what));
    }
    found
}

/// Is the annotation at the head of a loop?
fn is_at_a_head(facts: &KernelFacts<'_>, inst: Inst) -> bool {
    facts.block_of(inst).is_some_and(|block| facts.loops.headed_by(block).is_some())
}

struct Checker<'c, 's, 'k> {
    task: &'c Task<'k>,
    pool: &'c mut TermPool,
    asker: &'c mut Asker<'s>,
    geometry: Geometry,
    outcome: Outcome,
}

/// Candidates.
impl Checker<'_, '_, '_> {
    /// Candidates about one thread.
    fn own_candidates(&mut self) -> Vec<Candidate> {
        if !self.task.guesses {
            return vec![];
        }
        let facts = self.task.facts;
        let selection = self.task.selection;
        let mut found: Vec<Candidate> = vec![];
        for (id, candidate) in duet_infer::guess(facts, selection) {
            let rule = match candidate.source {
                duet_vc::Source::Rule(name) => name,
                duet_vc::Source::User(_) => "user",
            };
            found.push(Candidate { id, rule, statement: Statement::Own(candidate.expr) });
        }
        for (id, data) in facts.loops.iter() {
            let view = LoopView { facts, id };
            let params = &facts.func.blocks[data.header].params;
            for (number, &param) in params.iter().enumerate() {
                let ty = facts.func.type_of(param);
                let form = facts.forms.get(param);
                for (rule, expr) in closed_forms(&view, number, ty, form) {
                    if selection.includes_name(rule) {
                        found.push(Candidate { id, rule, statement: Statement::Own(expr) });
                    }
                }
            }
        }
        found
    }
}

/// What a closed form says of a parameter.
fn closed_forms(
    view: &LoopView<'_>,
    number: usize,
    ty: Type,
    form: Option<&ClosedForm>,
) -> Vec<(&'static str, Expr)> {
    use duet_ir::{BinaryOp, CastOp, IntCc};
    let (now, first) = (Expr::Param(number), Expr::Initial(number));
    let Some(form) = form else { return vec![] };
    match form {
        ClosedForm::Unchanged => {
            vec![("closedForm", Expr::compare(IntCc::Eq, now, first))]
        }
        ClosedForm::Affine { step } if ty.is_int() && ty != Type::BOOL => {
            let Some(step) = view.sum(step) else { return vec![] };
            let (wide, width) = (Type::Int(64), ty.bits().unwrap_or(64));
            let visits = match width.cmp(&64) {
                std::cmp::Ordering::Equal => Expr::Visits,
                std::cmp::Ordering::Less => Expr::Cast {
                    op: CastOp::Trunc,
                    arg: Box::new(Expr::Visits),
                    from: wide,
                    to: ty,
                },
                std::cmp::Ordering::Greater => return vec![],
            };
            let mut found = vec![];
            if let Expr::Const { bits, .. } = step {
                let low = 1u128 << bits.trailing_zeros().min(width - 1);
                if low > 1 {
                    let mask =
                        |expr| Expr::binary(BinaryOp::And, expr, Expr::number(low - 1, ty), ty);
                    let same = Expr::compare(IntCc::Eq, mask(now.clone()), mask(first.clone()));
                    found.push(("loopCounterIsStrided", same));
                }
            }
            let distance = Expr::binary(BinaryOp::Mul, visits, step, ty);
            let sum = Expr::binary(BinaryOp::Add, first, distance, ty);
            found.push(("closedForm", Expr::compare(IntCc::Eq, now, sum)));
            found
        }
        ClosedForm::Affine { .. }
        | ClosedForm::ShiftLeft { .. }
        | ClosedForm::ShiftRight { .. }
        | ClosedForm::Reflects { .. }
        | ClosedForm::Flips { .. }
        | ClosedForm::Swaps { .. }
        | ClosedForm::Follows { .. }
        | ClosedForm::Settles { .. } => vec![],
    }
}

/// Rows.
impl Checker<'_, '_, '_> {
    /// Checks a row, and returns the candidates that hold in it.
    fn row(
        &mut self,
        row: Row,
        candidates: Vec<Candidate>,
        invariants: &[Candidate],
    ) -> Result<Vec<Candidate>, SolverError> {
        if self.asker.end().is_some() {
            self.add(out_of_time());
            return Ok(vec![]);
        }
        let task = self.task;
        let setting = Setting {
            facts: task.facts,
            options: task.options,
            in_range: task.in_range,
            tolerates_exits: task.tolerates_exits,
            tolerates_benign: task.tolerates_benign,
            sizes: task.sizes,
        };
        let geometry = self.geometry.clone();
        let (threads, known) = threads(row, &geometry, self.pool);
        let mut lockstep = Lockstep {
            setting,
            pool: self.pool,
            geometry: &geometry,
            row,
            in_lock_step: None,
            threads,
            known,
            log: BTreeMap::new(),
            sites: vec![],
            versions: BTreeMap::new(),
            invariants,
            candidates,
            obligations: vec![],
            is_ghost: false,
            is_aligned: true,
            is_quiet: true,
            next_version: 0,
            gone: vec![],
            inside: vec![],
            current_visits: BTreeMap::new(),
            before_barriers: before_barriers(task.facts),
        };
        lockstep.assume_lock_step();
        if task.races {
            prepare_log(&mut lockstep);
        }
        if task.guesses {
            let guessed = rules::guess(&lockstep, task.selection, &task.premises.launch);
            lockstep.candidates.extend(guessed);
        }
        let by_user = user_candidates(&lockstep);
        lockstep.candidates.extend(by_user);
        lockstep.run();
        let sites = std::mem::take(&mut lockstep.sites);
        let candidates = std::mem::take(&mut lockstep.candidates);
        let obligations = std::mem::take(&mut lockstep.obligations);
        drop(lockstep);
        self.conclude(&candidates, &obligations, &sites)
    }

    fn conclude(
        &mut self,
        candidates: &[Candidate],
        obligations: &[Obligation],
        sites: &[Site],
    ) -> Result<Vec<Candidate>, SolverError> {
        let mut houdini = Houdini::new(candidates.len());
        houdini.run(self.asker, self.pool, obligations)?;
        self.outcome.rounds += houdini.rounds;
        for (number, candidate) in candidates.iter().enumerate() {
            *self.outcome.made.entry(candidate.rule).or_default() += 1;
            if houdini.is_live(number) {
                *self.outcome.kept.entry(candidate.rule).or_default() += 1;
            } else {
                self.report_if_claimed(candidate);
            }
        }
        for obligation in obligations {
            if self.asker.end().is_some() {
                self.add(out_of_time());
                break;
            }
            self.show(&houdini, obligation, sites)?;
        }
        let kept = candidates.iter().enumerate().filter(|(number, _)| houdini.is_live(*number));
        Ok(kept.map(|(_, candidate)| candidate.clone()).collect())
    }

    /// An invariant of the user that may fail is a finding.
    fn report_if_claimed(&mut self, candidate: &Candidate) {
        let Statement::User(inst) = candidate.statement else { return };
        let InstData::Annotation { kind, .. } = self.task.facts.func.insts[inst] else { return };
        let is_claimed = matches!(
            kind,
            AnnotationKind::Invariant
                | AnnotationKind::GlobalInvariant
                | AnnotationKind::FunctionWideInvariant
        );
        if is_claimed {
            self.add(Found {
                rule: Rule::InvariantFailed,
                is_tolerated: false,
                primary: Some(inst),
                secondary: None,
                why: Open::NotKept,
            });
        }
    }

    fn add(&mut self, found: Found) {
        let is_known = |other: &Found| {
            (other.rule, other.primary, other.secondary)
                == (found.rule, found.primary, found.secondary)
        };
        if !self.outcome.found.iter().any(is_known) {
            self.outcome.found.push(found);
        }
    }

    /// Asks whether a defect is excluded.
    fn show(
        &mut self,
        houdini: &Houdini,
        obligation: &Obligation,
        sites: &[Site],
    ) -> Result<(), SolverError> {
        let What::Defect { rule, places, tolerated } = &obligation.what else { return Ok(()) };
        let mut literals = obligation.known.terms(|number| houdini.is_live(number));
        literals.extend(&obligation.goal);
        let answer = self.ask(&literals, places, rule.id())?;
        let mut is_tolerated = false;
        if let (Some((_, more)), true) = (tolerated, answer != Answer::Unsat) {
            literals.extend(more);
            is_tolerated = self.ask(&literals, places, rule.id())? == Answer::Unsat;
        }
        let why = match &answer {
            Answer::Unsat => return Ok(()),
            Answer::Sat(_) => Open::State,
            Answer::Unknown(reason) => Open::Undecided(*reason),
        };
        let model = match &answer {
            Answer::Sat(model) => Some(model),
            Answer::Unsat | Answer::Unknown(_) => None,
        };
        let first = obligation.logged.and_then(|logged| self.logged_site(logged, model, sites));
        let rule = match (tolerated, is_tolerated) {
            (Some((warning, _)), true) => *warning,
            _ => *rule,
        };
        let (primary, secondary) = match first {
            Some(first) => (Some(first), places.first().copied()),
            None => (places.first().copied(), None),
        };
        self.add(Found { rule, is_tolerated, primary, secondary, why });
        Ok(())
    }

    fn ask(
        &mut self,
        literals: &[TermId],
        places: &[Inst],
        about: &str,
    ) -> Result<Answer, SolverError> {
        Ok(self.asker.decide_at(self.pool, literals, about, places, Effort::Full)?.answer)
    }

    /// The access that was logged, as a model has it, or some access that is logged there.
    fn logged_site(
        &self,
        (key, site): (Key, TermId),
        model: Option<&Model>,
        sites: &[Site],
    ) -> Option<Inst> {
        let number = model.and_then(|model| eval(self.pool, model, site).ok()?.bits());
        let named = number.and_then(|number| sites.get(usize::try_from(number).ok()?));
        let of_key = |site: &&Site| site.key == key;
        named.filter(of_key).or_else(|| sites.iter().find(of_key)).map(|site| site.inst)
    }
}

/// The threads of a row, with what is known of them.
fn threads(row: Row, geometry: &Geometry, pool: &mut TermPool) -> (Vec<Thread>, Known) {
    let first = match row {
        Row::Alone => geometry.thread(pool, Side::Alone, None),
        Row::Block | Row::Grid => geometry.thread(pool, Side::First, None),
    };
    let mut known = Known::default();
    for &fact in geometry.facts.iter().chain(&first.facts) {
        known.push(fact, None);
    }
    let second = match row {
        Row::Alone => None,
        Row::Block => Some(geometry.thread(pool, Side::Second, Some(&first))),
        Row::Grid => Some(geometry.thread(pool, Side::Second, None)),
    };
    if let Some(second) = &second {
        second.facts.iter().for_each(|&fact| known.push(fact, None));
        let differ = match row {
            Row::Grid => first.differs_in_block(pool, second),
            Row::Alone | Row::Block => first.differs_in_thread(pool, second),
        };
        known.push(differ, None);
    }
    let alive = pool.tt();
    let thread = |terms: ThreadTerms| Thread {
        terms,
        values: Default::default(),
        alive,
        private: BTreeMap::new(),
    };
    (std::iter::once(first).chain(second).map(thread).collect(), known)
}

/// Blocks from which a barrier can be reached, themselves included.
fn before_barriers(facts: &KernelFacts<'_>) -> BTreeSet<Block> {
    let func = facts.func;
    let has_barrier = |block: Block| {
        func.blocks[block].insts.iter().any(|&inst| func.insts[inst].barrier_scope().is_some())
    };
    let mut found: BTreeSet<Block> =
        func.layout.iter().copied().filter(|&block| has_barrier(block)).collect();
    loop {
        let leads = |&block: &Block| {
            let edges = func.blocks[block].terminator.edges();
            !found.contains(&block) && edges.iter().any(|edge| found.contains(&edge.block))
        };
        let more: Vec<Block> = func.layout.iter().copied().filter(leads).collect();
        if more.is_empty() {
            return found;
        }
        found.extend(more);
    }
}

/// Finds the places that are logged, and makes an empty log.
fn prepare_log(lockstep: &mut Lockstep<'_>) {
    let facts = lockstep.setting.facts;
    for inst in facts.func.insts_in_order() {
        let Some((key, bytes)) = kind_in(lockstep, inst) else { continue };
        let accesses = facts.func.insts[inst].accesses();
        let Some((_, access)) = accesses.first() else { continue };
        lockstep.sites.push(Site { inst, key, offset: access.offset, bytes });
    }
    let keys: BTreeSet<Key> = lockstep.sites.iter().map(|site| site.key).collect();
    let width = u32::from(facts.module.pointer_width);
    for key in keys {
        let insts: Vec<Inst> =
            lockstep.sites.iter().filter(|site| site.key == key).map(|site| site.inst).collect();
        let (params, visits) = nothing_remembered(lockstep, &insts);
        let name = match lockstep.setting.options.instrumenter {
            Instrumenter::WatchdogSingle => "watched".to_string(),
            Instrumenter::WatchdogMultiple | Instrumenter::Original => {
                format!("watched.{}", key.0)
            }
        };
        let granule = facts.module.arrays[key.0].granule.max(1);
        let never = lockstep.pool.ff();
        let entry = Entry {
            flag: never,
            offset: lockstep.pool.bv_var(&name, width),
            valued: never,
            value: lockstep.pool.bv_var(&format!("watched.value.{}", key.0), 8 * granule),
            site: lockstep.pool.fresh("site", Sort::BitVec(16)),
            params,
            visits,
        };
        lockstep.log.insert(key, entry);
    }
}

/// What the user wrote at the heads of loops: what must hold, and what may.
fn user_candidates(lockstep: &Lockstep<'_>) -> Vec<Candidate> {
    use AnnotationKind::*;
    let facts = lockstep.setting.facts;
    let mut found = vec![];
    for (block, inst) in facts.func.insts_with_blocks() {
        let InstData::Annotation { kind, .. } = facts.func.insts[inst] else { continue };
        if depends_on_two(lockstep, inst) == (lockstep.row == Row::Alone) {
            continue;
        }
        let statement = Statement::User(inst);
        match kind {
            Invariant | GlobalInvariant | CandidateInvariant | CandidateGlobalInvariant => {
                let id = facts.loops.headed_by(block);
                found.extend(id.map(|id| Candidate { id, rule: "user", statement }));
            }
            FunctionWideInvariant | FunctionWideCandidateInvariant => {
                for (id, _) in facts.loops.iter() {
                    let statement = statement.clone();
                    found.push(Candidate { id, rule: "user", statement });
                }
            }
            Requires
            | GlobalRequires
            | Ensures
            | GlobalEnsures
            | Assume
            | CandidateAssert
            | CandidateGlobalAssert
            | BarrierInvariant
            | BarrierInvariantBinary
            | CellInvariant
            | Axiom
            | Contract
            | Verified
            | ReadsFrom
            | WritesTo
            | ArraySnapshot
            | Captured => {}
        }
    }
    found
}
