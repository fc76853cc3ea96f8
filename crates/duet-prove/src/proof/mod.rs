//! The proof of clauses: quantifier-free questions about one thread, found by inverting the
//! index.
//!
//! | file | holds |
//! |---|---|
//! | `covered` | which kernels the facts below hold of |
//! | `walked` | the walk of a formal thread, and its instances |
//! | `cuts` | where threads of a block meet, and the pieces between |
//! | `counters` | loops: counters that do not wrap, and that loops end |
//! | `quantified` | preconditions with variables, at the cells that are read |
//! | `invariants` | what the contract says at loops |
//! | `writers` | who writes a cell, and that no thread does later |
//! | `stated_writers` | threads that the contract names |
//! | `reads` | cells in terms: final ones, and those read after a barrier |
//! | `spec_terms` | expressions of contracts as terms |
//! | `folds` | sums, and loops that accumulate them |
//! | `atomics` | arrays that threads only add to |
//! | `block_sums` | shared arrays that threads of a block add to |
//! | `cells` | arrays that a loop with barriers rewrites |
//! | `steps` | loops of steps in time, and their invariants |
//! | `heads` | what the contract says of cells at loops with barriers |
//! | `goals` | equality leaf by leaf |
//! | `clauses` | a clause: its variables, its guard, its goals |
//! | `sides` | that the terms of a clause are exact |
//! | `frames` | that nothing else is written |
//! | `elements` | byte offsets as indices |
//! | `equations` | equality of polynomials, without a solver |
//! | `ask`, `explain` | the questions; terms in the words of the source |
//!
//! **Why it is sound.** The kernel was proved free of races and divergence under the same
//! contract, so in every execution a read gets the last write that a barrier or program
//! order puts before it, and of two unordered writes to a cell both leave the same value.
//! So the final value of a cell is that of the last store of any thread that stores to it
//! after which no thread of its block stores to it. Each fact about a thread is used only
//! once it was shown, or is a condition, that the thread is in the launch and gets there.

/// A type of methods that work on a prover: it reads and writes as the prover itself does. So
/// each part of the proof keeps its methods to itself, and the prover has few.
macro_rules! works_on_prover {
    ($name:ident) => {
        impl<'s, 'f> std::ops::Deref for $name<'_, 's, 'f> {
            type Target = $crate::proof::Prover<'s, 'f>;

            fn deref(&self) -> &Self::Target {
                self.0
            }
        }

        impl std::ops::DerefMut for $name<'_, '_, '_> {
            fn deref_mut(&mut self) -> &mut Self::Target {
                self.0
            }
        }
    };
}

mod ask;
mod clauses;
mod covered;
mod elements;
mod equations;
mod explain;
mod frames;
mod goals;
mod loops;
mod quantified;
mod reads;
mod sides;
mod spec_terms;
mod stated_writers;
mod sums;
mod walked;
mod writers;

use std::borrow::Cow;
use std::collections::BTreeMap;

use duet_analysis::Loop;
use duet_ask::{Asker, Effort, Session};
use duet_check::{CheckOptions, KernelReport};
use duet_ir::{Array, InstData, WellFormed};
use duet_product::KernelFacts;
use duet_smt::solver::SolverError;
use duet_smt::{FuncId, TermId};
use duet_spec::Clause;
use duet_vc::{InRange, Walker, may_be_assumed};

use self::ask::Ask;
use self::clauses::Clauses;
use self::covered::{Uncovered, covered};
use self::equations::{distilled, follows};
use self::explain::shown;
use self::loops::cells::CellInvariant;
use self::loops::counters::{Counter, Follower};
use self::loops::heads::{Head, HeadFact};
use self::quantified::{Preconditions, Quantified};
use self::spec_terms::{FoldTerm, Recursion};
use self::sums::block_sums::BlockSum;
use self::walked::Walked;
use self::writers::{Digits, Place, Written};
use crate::contract::Bound;
use crate::report::ClauseStatus;
use crate::steps::Steps;

/// Hypotheses beyond this number are first asked of the goal's symbols alone.
const MANY: usize = 40;

/// What became of the clauses.
pub struct Outcome {
    /// One for each.
    pub statuses: Vec<ClauseStatus>,
    /// What the proofs take for granted.
    pub assumptions: Vec<String>,
    /// Questions, and how many of them proved something.
    pub questions: (u32, u32),
}

/// Proves clauses of one kernel.
pub struct Prover<'s, 'f> {
    walked: Walked<'f>,
    ask: Ask<'s>,
    steps: Steps,
    bound: &'f Bound<'f>,
    /// What is known of the launch and its arguments.
    base: Vec<TermId>,
    /// Preconditions with variables.
    quantified: Vec<Quantified>,
    /// Counters of loops.
    counters: BTreeMap<Loop, Counter>,
    /// Further variables of loops that count, and do not wrap.
    followers: Vec<(Loop, Follower)>,
    /// Variables of loops, by their number, that are above zero at every visit.
    positive: Vec<(Loop, usize)>,
    /// What the contract says at loops, over the formal thread: true at every visit.
    invariants: Vec<(Loop, TermId)>,
    /// The clause speaks of the head of a loop, not of the end of the launch.
    is_at_loop: bool,
    /// Where a condition at a loop's head reads cells; none if it must not.
    head: Option<Head>,
    /// What the contract says of cells at the heads of aligned loops.
    head_facts: Vec<HeadFact>,
    /// What was learned about the writers of the cells of the goal.
    learned: Vec<TermId>,
    /// What must be shown of terms that were made.
    sides: Vec<TermId>,
    /// Bounds of the clause's variables, by their terms.
    bounds: Vec<(TermId, (i128, i128))>,
    /// Sums of the clause.
    folds: Vec<FoldTerm>,
    /// Functions of the contract that call themselves, by their unknown functions.
    recursions: BTreeMap<FuncId, Recursion>,
    /// What is known of cells at the heads of aligned loops.
    cells: Vec<CellInvariant>,
    /// Where such an invariant was looked for.
    searched: Vec<(Loop, Array, [TermId; 3])>,
    /// One is being looked for.
    is_searching: bool,
    /// The count of the loop at which the one in question is assumed.
    step_at: Option<TermId>,
    /// Sums of what threads of a block add to cells.
    block_sums: Vec<BlockSum>,
    /// What the goal rests on: the launch, its arguments, and the guard.
    given: Vec<TermId>,
    /// Quotients and remainders that were named: each fact holds whatever else does.
    digits: Vec<TermId>,
    /// The digits, by dividend and divisor, with those facts.
    named: BTreeMap<(TermId, TermId), Digits>,
    /// Who writes cells, for people.
    explained: Vec<String>,
}

impl Prover<'_, '_> {
    fn implies(
        &mut self,
        hypotheses: &[TermId],
        goal: TermId,
        about: &str,
        effort: Effort,
    ) -> Result<bool, SolverError> {
        let literals: Vec<TermId> = hypotheses.iter().copied().chain([goal]).collect();
        let hypotheses = self.with_instances(hypotheses, &literals);
        let pool = &mut self.walked.walker.pool;
        if follows(pool, &hypotheses, goal) {
            self.ask.answered();
            return Ok(true);
        }
        // Of many hypotheses few are about the goal.
        if hypotheses.len() > MANY
            && let Some(literals) = distilled(pool, &hypotheses, goal, &[])
            && self.ask.excludes(pool, &literals, &[], about, Effort::Moment)?
        {
            return Ok(true);
        }
        self.ask.implies(&mut self.walked.walker.pool, &hypotheses, goal, about, effort)
    }

    /// Do hypotheses imply an equation or a comparison, if only what they say of its own symbols, and
    /// of those of further terms, is asked about?
    fn implies_by_itself(
        &mut self,
        hypotheses: &[TermId],
        (goal, also): (TermId, &[TermId]),
        about: &str,
    ) -> Result<bool, SolverError> {
        let pool = &mut self.walked.walker.pool;
        if follows(pool, hypotheses, goal) {
            self.ask.answered();
            return Ok(true);
        }
        let Some(literals) = distilled(pool, hypotheses, goal, also) else { return Ok(false) };
        self.ask.excludes(pool, &literals, &[], about, Effort::Small)
    }

    fn excludes(
        &mut self,
        hypotheses: &[TermId],
        goals: &[TermId],
        about: &str,
        effort: Effort,
    ) -> Result<bool, SolverError> {
        let literals: Vec<TermId> = hypotheses.iter().chain(goals).copied().collect();
        let hypotheses = self.with_instances(hypotheses, &literals);
        self.ask.excludes(&mut self.walked.walker.pool, &hypotheses, goals, about, effort)
    }

    /// Hypotheses with what preconditions say of the cells that a question reads.
    fn with_instances<'h>(
        &mut self,
        hypotheses: &'h [TermId],
        literals: &[TermId],
    ) -> Cow<'h, [TermId]> {
        if self.quantified.is_empty() {
            return Cow::Borrowed(hypotheses);
        }
        let mut all = hypotheses.to_vec();
        all.extend(Preconditions(self).instances(literals));
        Cow::Owned(all)
    }

    /// Keeps who writes a cell, for people.
    fn note_writer(&mut self, place: &Place, written: &Written) {
        let module = self.walked.facts().module;
        let name = self.walked.facts().func.array_name(module, place.array);
        let line = self.walked.facts().line_of(written.site.inst);
        let line = line.map_or(String::new(), |line| format!(" at line {line}"));
        let pool = &self.walked.walker.pool;
        let names = self.coordinate_names();
        let values: Vec<String> = written
            .values
            .iter()
            .map(|(symbol, value)| {
                let name = names.get(symbol).cloned().unwrap_or_else(|| "a loop's count".into());
                format!("{name} = {}", shown(pool, *value))
            })
            .collect();
        let text = format!("`{name}` is written{line} by the thread with {}", values.join(", "));
        if !self.explained.contains(&text) {
            self.explained.push(text);
        }
    }

    fn coordinate_names(&self) -> BTreeMap<TermId, String> {
        let mut names = BTreeMap::new();
        for dim in duet_ir::Dim::ALL {
            let index = dim.index();
            names.insert(self.walked.thread.thread[index], format!("threadIdx.{dim}"));
            names.insert(self.walked.thread.block[index], format!("blockIdx.{dim}"));
        }
        names
    }
}

/// Proves clauses of a kernel that was checked; first exactly, then assuming that signed
/// arithmetic does not overflow, if that may be assumed.
pub fn prove_clauses(
    session: &mut Session,
    module: &WellFormed,
    bound: &Bound<'_>,
    (options, steps): (&CheckOptions, Steps),
    check: &KernelReport,
    clauses: &[&Clause],
) -> Result<Outcome, SolverError> {
    let func = &module.functions[bound.kernel];
    let facts = KernelFacts::new(module, bound.kernel, &options.facts_options(func));
    if let Err(Uncovered { why, place }) = covered(module, bound, &facts.loops, options, check) {
        let status = ClauseStatus::Unproven { why, place, help: None };
        let statuses = clauses.iter().map(|_| status.clone()).collect();
        return Ok(Outcome { statuses, assumptions: vec![], questions: (0, 0) });
    }
    // Where the check itself assumes that arithmetic does not overflow, the verdict says so
    // anyway, and questions about products that may wrap are the hardest of all.
    let is_open = !check.is_exact && !options.strict;
    let how = (options, steps);
    let (exact, questions) = match is_open {
        true => (vec![ClauseStatus::unproven("arithmetic may overflow"); clauses.len()], (0, 0)),
        false => attempt(session, &facts, bound, how, check, clauses, InRange::new())?,
    };
    let all_proved = |outcome: &[ClauseStatus]| {
        outcome.iter().all(|status| matches!(status, ClauseStatus::Proved(_)))
    };
    if all_proved(&exact) || options.strict {
        return Ok(Outcome { statuses: exact, assumptions: vec![], questions });
    }
    // SOUNDNESS: of values only that signed operations of the source do not overflow is
    // assumed, never that a conversion keeps its value (kernels/prove/traps/23-conversion).
    let signed = |inst: &duet_ir::Inst| {
        let nsw = matches!(func.insts[*inst], InstData::Binary { nsw: true, .. });
        nsw && may_be_assumed(func, *inst)
    };
    let in_range: InRange = func.insts_in_order().filter(signed).collect();
    if in_range.is_empty() && !is_open {
        return Ok(Outcome { statuses: exact, assumptions: vec![], questions });
    }
    let lines: std::collections::BTreeSet<u32> =
        in_range.iter().filter_map(|&inst| facts.line_of(inst)).collect();
    let (assumed, more) = attempt(session, &facts, bound, how, check, clauses, in_range)?;
    let questions = (questions.0 + more.0, questions.1 + more.1);
    let (mut statuses, mut used) = (vec![], false);
    for (exact, assumed) in exact.into_iter().zip(assumed) {
        let better =
            matches!(assumed, ClauseStatus::Proved(_)) && !matches!(exact, ClauseStatus::Proved(_));
        used |= better;
        statuses.push(if better || is_open { assumed } else { exact });
    }
    let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
    let text = format!("signed arithmetic does not overflow (lines {})", lines.join(", "));
    Ok(Outcome { statuses, assumptions: if used { vec![text] } else { vec![] }, questions })
}

fn attempt(
    session: &mut Session,
    facts: &KernelFacts<'_>,
    bound: &Bound<'_>,
    (options, steps): (&CheckOptions, Steps),
    check: &KernelReport,
    clauses: &[&Clause],
    in_range: InRange,
) -> Result<(Vec<ClauseStatus>, (u32, u32)), SolverError> {
    let mut walker = Walker::new(facts, options.premises(), in_range);
    walker.invariants = check.invariants.clone();
    let asker = Asker::new(session, options.ask_options());
    let mut prover = Prover {
        walked: Walked::new(walker),
        ask: Ask { asker, count: 0, proved: 0 },
        steps,
        bound,
        base: vec![],
        quantified: vec![],
        counters: BTreeMap::new(),
        followers: vec![],
        positive: vec![],
        invariants: vec![],
        is_at_loop: false,
        head: None,
        head_facts: vec![],
        learned: vec![],
        sides: vec![],
        bounds: vec![],
        folds: vec![],
        recursions: BTreeMap::new(),
        cells: vec![],
        searched: vec![],
        is_searching: false,
        step_at: None,
        block_sums: vec![],
        given: vec![],
        digits: vec![],
        named: BTreeMap::new(),
        explained: vec![],
    };
    prover.base = Clauses(&mut prover).base_facts();
    prover.quantified = Preconditions(&mut prover).quantified_requires();
    let statuses = match Clauses(&mut prover).prepare()? {
        Some(status) => clauses.iter().map(|_| status.clone()).collect(),
        None => {
            let of = |clause: &&Clause| Clauses(&mut prover).clause(clause);
            clauses.iter().map(of).collect::<Result<_, _>>()?
        }
    };
    Ok((statuses, (prover.ask.count, prover.ask.proved)))
}
