//! The check of a kernel by logs: one thread alone, two threads of a block, two threads of
//! different blocks, one after the other.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use duet_analysis::Extent;
use duet_ask::Asker;
use duet_infer::sorting::{SortOptions, Sorted, Unrolled};
use duet_infer::{Engine, EngineWork, Selection};
use duet_ir::{AnnotationKind, Array, Block, Inst, InstData, Rule};
use duet_product::KernelFacts;
use duet_smt::TermPool;
use duet_smt::solver::{Reason, SolverError};
use duet_vc::{Geometry, InRange, LoopView, Premises};

use crate::coverage::{not_modelled, unmodelled};
use crate::inference::{Stated, edges, sort_out};
use crate::log::Site;
use crate::options::LogOptions;
use crate::prepare::{before_barriers, prepare_log, threads, user_candidates};
use crate::rules;
use crate::statement::{Candidate, Statement};
use crate::walk::{Lockstep, Obligation, Row, Setting};

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
    /// Who sorts candidates out.
    pub sorting: &'k SortOptions,
    /// Arithmetic that is assumed to stay in range.
    pub in_range: &'k InRange,
    /// Only the verdict is wanted: the first thing that is not proved ends the check.
    pub verdict_only: bool,
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
    pub rounds: usize,
    /// How many candidates were dropped because they were not decided.
    pub undecided: usize,
    /// What each engine did.
    pub engines: Vec<EngineWork>,
    /// How long it took to find invariants.
    pub in_inference: Duration,
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
    if !checker.is_settled() {
        checker.row(Row::Block, vec![], &own)?;
    }
    let blocks = &task.premises.launch.grid;
    let has_blocks = task.grid && blocks.iter().any(|size| *size != Extent::Number(1));
    if has_blocks && !checker.is_settled() {
        checker.row(Row::Grid, vec![], &own)?;
    }
    Ok(checker.outcome)
}

/// Not everything was asked.
///
/// SOUNDNESS: what was not asked is not proved (test `what_is_not_asked_is_not_proved`).
pub(crate) fn out_of_time() -> Found {
    Found { rule: Rule::TimeLimit, why: Open::Undecided(Reason::Timeout), ..unmodelled(None, "") }
}

/// What came of walking the threads of a row.
struct Walked {
    row: Row,
    sites: Vec<Site>,
    candidates: Vec<Candidate>,
    obligations: Vec<Obligation>,
}

/// Blocks of the first iterations, repeated ones counted, above which an engine leaves a kernel
/// alone.
const MOST_BLOCKS: usize = 400;

/// Blocks that are walked if each loop is walked for so many iterations and left.
fn blocks_in_first(facts: &KernelFacts<'_>, iterations: u32) -> usize {
    let each = iterations as usize + 1;
    let times = |block: &Block| {
        facts.loops.around(*block).fold(1usize, |times, _| times.saturating_mul(each))
    };
    facts.func.layout.iter().map(times).fold(0, usize::saturating_add)
}

pub(crate) struct Checker<'c, 's, 'k> {
    task: &'c Task<'k>,
    pub(crate) pool: &'c mut TermPool,
    pub(crate) asker: &'c mut Asker<'s>,
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
                for (rule, expr) in rules::closed_forms(&view, number, ty, form) {
                    if selection.includes_name(rule) {
                        found.push(Candidate { id, rule, statement: Statement::Own(expr) });
                    }
                }
            }
        }
        found
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
        let walked = self.walk(row, candidates, invariants, None);
        let mut unrolled = vec![];
        for engine in self.task.sorting.engines.stages().iter().flatten() {
            if let Engine::Unroll(iterations) = *engine {
                unrolled.push(self.unrolled(&walked, invariants, iterations));
            }
        }
        self.conclude(walked, unrolled)
    }

    /// Walks the threads of a row, by all iterations or by the first ones.
    fn walk(
        &mut self,
        row: Row,
        candidates: Vec<Candidate>,
        invariants: &[Candidate],
        iterations: Option<u32>,
    ) -> Walked {
        let task = self.task;
        let setting = Setting {
            facts: task.facts,
            options: task.options,
            in_range: task.in_range,
            tolerates_exits: task.tolerates_exits,
            tolerates_benign: task.tolerates_benign,
            sizes: task.sizes,
            iterations,
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
        if iterations.is_none() {
            if task.guesses {
                let guessed = rules::guess(&lockstep, task.selection, &task.premises.launch);
                lockstep.candidates.extend(guessed);
            }
            let by_user = user_candidates(&lockstep);
            lockstep.candidates.extend(by_user);
        }
        lockstep.run();
        let Lockstep { sites, candidates, obligations, .. } = lockstep;
        Walked { row, sites, candidates, obligations }
    }

    /// The first iterations of every loop, for an engine that refutes; of a kernel that is too
    /// large nothing.
    fn unrolled(&mut self, walked: &Walked, invariants: &[Candidate], iterations: u32) -> Unrolled {
        let start = Instant::now();
        let visits = match blocks_in_first(self.task.facts, iterations) <= MOST_BLOCKS {
            true => {
                let candidates = walked.candidates.clone();
                let walked = self.walk(walked.row, candidates, invariants, Some(iterations));
                edges(&walked.obligations)
            }
            false => vec![],
        };
        Unrolled { iterations, visits, took: start.elapsed() }
    }

    fn conclude(
        &mut self,
        walked: Walked,
        unrolled: Vec<Unrolled>,
    ) -> Result<Vec<Candidate>, SolverError> {
        let Walked { row, sites, candidates, obligations } = walked;
        // Under an assumption about arithmetic nothing is run: a run may break it.
        let runs = self.task.in_range.is_empty().then_some(self.task.facts);
        let stated = Stated {
            candidates: &candidates,
            obligations: &obligations,
            unrolled,
            runs,
            sites: &sites,
            row,
        };
        let (sorted, took) = sort_out(&stated, self.task.sorting, self.pool, self.asker)?;
        let is_live = |number: usize| sorted.live.get(number) == Some(&true);
        self.note(row, &sorted, took);
        for (number, candidate) in candidates.iter().enumerate() {
            *self.outcome.made.entry(candidate.rule).or_default() += 1;
            if is_live(number) {
                *self.outcome.kept.entry(candidate.rule).or_default() += 1;
            } else {
                self.report_if_claimed(candidate);
            }
        }
        self.show_all(&is_live, &obligations, &sites)?;
        let kept = candidates.iter().enumerate().filter(|(number, _)| is_live(*number));
        Ok(kept.map(|(_, candidate)| candidate.clone()).collect())
    }

    /// Takes note of how invariants were found.
    fn note(&mut self, row: Row, sorted: &Sorted, took: Duration) {
        let outcome = &mut self.outcome;
        outcome.rounds += sorted.rounds;
        outcome.undecided += sorted.undecided;
        outcome.in_inference += took;
        for work in &sorted.engines {
            let named = work.refuted.iter().map(|name| format!("{row:?}.{name}"));
            outcome.engines.push(EngineWork { refuted: named.collect(), ..work.clone() });
        }
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

    /// Is something not proved, and only the verdict wanted?
    ///
    /// SOUNDNESS: what was not asked then is not proved, and neither is the kernel: there is a
    /// finding that is no warning (test `what_is_not_asked_is_not_proved`).
    pub(crate) fn is_settled(&self) -> bool {
        self.task.verdict_only && self.outcome.found.iter().any(|found| !found.is_tolerated)
    }

    pub(crate) fn add(&mut self, found: Found) {
        let is_known = |other: &Found| {
            (other.rule, other.primary, other.secondary)
                == (found.rule, found.primary, found.secondary)
        };
        if !self.outcome.found.iter().any(is_known) {
            self.outcome.found.push(found);
        }
    }
}
