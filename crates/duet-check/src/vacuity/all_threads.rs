//! Can all threads of a launch meet what is assumed of each?
//!
//! `__requires(threadIdx.x < 32)` with 64 threads has a model, and one for two
//! threads too; but no launch meets it, and what is proved under it is worth nothing.
//! So threads are collected that break the assumptions: for a launch that suits those
//! collected so far, another one that it does not suit. If no launch suits them all
//! the assumptions are vacuous. A launch that suits everybody ends the search.
//!
//! Where contents of arrays decide which thread breaks the assumptions there is always one,
//! and collecting leads nowhere: `__requires((p[0] & 7) != threadIdx.x)` can be met by
//! any seven threads. A run of the interpreter that comes to its end then shows that
//! all threads can meet them; if none is found, the first threads are asked about
//! together.
//!
//! *Why it is right.* Only an unsatisfiable question counts: that certain threads, if
//! they exist, meet the assumptions, each with unknowns of its own, in a launch, with
//! arguments and contents of arrays that are never written, which they share. That they
//! break them otherwise is only a hint.
//!
//! Where a solver finds nothing out, and at the limit, a run that comes to its end shows that all threads
//! can meet the assumptions; without one, nothing is proved.

use duet_ask::{Effort, witness_of};
use duet_ir::{AnnotationKind, InstData};
use duet_product::Scope;
use duet_smt::solver::{Answer, Reason, SolverError};
use duet_smt::{Model, Op, Sort, TermId, eval};
use duet_vc::{Extent, LaunchSpec, Position, Side, ThreadTerms, Walk, argument_name};

use super::Vacuity;

/// Threads that are collected.
const MAX_THREADS: usize = 128;
/// The same where it depends on more than ids, sizes and arguments which thread breaks
/// the assumptions: there is always one then.
const MAX_THREADS_WITH_UNKNOWNS: usize = 4;
/// The threads that are then asked about together.
pub(super) const TOGETHER: usize = 64;

/// Threads that are asked about with the contracts of functions.
pub(super) const FEW: usize = 6;

/// Does what contracts of functions state count?
#[derive(Clone, Copy, PartialEq, Eq)]
enum Contracts {
    Counted,
    LeftOut,
}

/// A thread that was collected.
struct Known {
    position: Position,
    walk: Walk,
    /// The launch has it.
    exists: TermId,
}

/// Threads that may break the assumptions in a launch.
enum Breakers {
    /// These do; so many are worth collecting.
    These(Vec<Position>, usize),
    /// None does.
    Nobody,
    /// It was not decided.
    Unknown(Reason),
}

impl Vacuity<'_, '_, '_> {
    /// Are there threads that cannot all meet the assumptions in any launch?
    ///
    /// SOUNDNESS: see kernels/soundness/36-some-threads-assumed, 51-no-thread-left and
    /// kernels/contracts/assumed-of-three-bug.
    pub(crate) fn no_launch_suits_all(&mut self) -> Result<bool, SolverError> {
        Ok(self.no_launch_suits_statements()?
            || self.few_threads_contradict()?
            || self.check.believes_contracts() && self.threads_after_calls_contradict()?)
    }

    /// The same with what contracts of functions state, for a few threads. That all threads
    /// can meet a contract together is on the list of what is assumed, so no answer is none.
    ///
    /// SOUNDNESS: kernels/modular/20-contract-of-three, test
    /// `what_nobody_knows_of_contracts_is_a_finding`.
    fn few_threads_contradict(&mut self) -> Result<bool, SolverError> {
        if !self.check.believes_contracts() {
            return Ok(false);
        }
        let positions = first_positions(&self.check.options.launch).into_iter().take(FEW);
        let suits = self.all_suit(positions.collect(), Contracts::Counted);
        let about = "contracts of a few threads";
        let pool = &mut self.check.walker.pool;
        let asked = self.check.asker.decide(pool, &suits, about, Effort::Example)?;
        Ok(match asked.answer {
            Answer::Unsat => true,
            Answer::Sat(_) => false,
            // No answer is a finding: what follows from a contradiction is worth nothing.
            Answer::Unknown(reason) => self.not_shown_satisfiable(reason),
        })
    }

    /// The same for what is assumed otherwise.
    fn no_launch_suits_statements(&mut self) -> Result<bool, SolverError> {
        // What is derived, of memory after barriers for one, holds in every run; it need not be
        // met by anyone.
        if !self.states_more() {
            return Ok(false);
        }
        let at = |known: &[Known]| known.iter().map(|one| one.position).collect::<Vec<_>>();
        let mut known: Vec<Known> = vec![];
        let mut suits = self.check.walker.geometry.facts.clone();
        loop {
            let about = "preconditions of several threads";
            let model = match self
                .check
                .asker
                .decide(&mut self.check.walker.pool, &suits, about, Effort::Example)?
                .answer
            {
                Answer::Unsat => return Ok(true),
                Answer::Sat(model) => model,
                Answer::Unknown(reason) => return Ok(self.open_unless_met(reason)),
            };
            let breakers = match self.who_breaks_them(&model, &at(&known))? {
                Breakers::Nobody => self.which_two_break_them(&model, &at(&known))?,
                found @ (Breakers::These(..) | Breakers::Unknown(_)) => found,
            };
            let (breakers, limit) = match breakers {
                Breakers::These(breakers, limit) if !breakers.is_empty() => (breakers, limit),
                // The state does not say who.
                Breakers::These(..) => return Ok(self.open_unless_met(Reason::Incomplete)),
                Breakers::Nobody => return Ok(false),
                Breakers::Unknown(reason) => return Ok(self.open_unless_met(reason)),
            };
            if known.len() >= MAX_THREADS {
                return Ok(self.open_unless_met(Reason::Resource));
            }
            if known.len() >= limit {
                return match self.check.walker.in_range.is_empty() {
                    // What is assumed of arithmetic was put to runs, of some blocks at least.
                    false => Ok(false),
                    true => self.first_threads_contradict(),
                };
            }
            for position in breakers {
                let (thread, facts) = self.suits(position, &known, Contracts::LeftOut);
                suits.extend(facts);
                known.push(thread);
            }
        }
    }

    /// These threads, as far as they exist, meet the assumptions together.
    fn all_suit(&mut self, positions: Vec<Position>, contracts: Contracts) -> Vec<TermId> {
        let mut known: Vec<Known> = vec![];
        let mut suits = self.check.walker.geometry.facts.clone();
        for position in positions {
            let (thread, facts) = self.suits(position, &known, contracts);
            suits.extend(facts);
            known.push(thread);
        }
        suits
    }

    /// It is not known whether all threads can meet the assumptions: nothing is proved then,
    /// unless a run meets them. What is assumed of arithmetic was put to runs.
    ///
    /// SOUNDNESS: test `what_nobody_knows_of_all_threads_is_a_finding`.
    fn open_unless_met(&mut self, reason: Reason) -> bool {
        let is_exact = self.check.walker.in_range.is_empty();
        if is_exact && !self.check.met.is_stated_met(self.check.facts, self.check.options) {
            return self.not_shown_satisfiable(reason);
        }
        false
    }

    /// Can the first threads not meet the assumptions together? A run that does so comes
    /// first.
    ///
    /// SOUNDNESS: see kernels/soundness/92-contents-for-no-block. No answer is a finding.
    fn first_threads_contradict(&mut self) -> Result<bool, SolverError> {
        if self.check.met.is_stated_met(self.check.facts, self.check.options) {
            return Ok(false);
        }
        let positions = first_positions(&self.check.options.launch);
        let suits = self.all_suit(positions, Contracts::LeftOut);
        let about = "preconditions of the first threads";
        Ok(
            match self
                .check
                .asker
                .decide(&mut self.check.walker.pool, &suits, about, Effort::Full)?
                .answer
            {
                Answer::Unsat => true,
                Answer::Sat(_) => false,
                Answer::Unknown(reason) => self.not_shown_satisfiable(reason),
            },
        )
    }

    /// This thread, if it exists, meets the assumptions, and so does it with each of
    /// the others.
    fn suits(
        &mut self,
        position: Position,
        others: &[Known],
        contracts: Contracts,
    ) -> (Known, Vec<TermId>) {
        let thread = self.check.walker.thread(Side::Further(others.len() as u32), None);
        let mut facts = vec![self.is_at(&thread, &position)];
        let exists = self.check.walker.pool.and(&thread.facts);
        let mut walk = self.check.walker.walk_thread(&thread);
        let mut assumed = match contracts {
            Contracts::Counted => walk.premises(),
            Contracts::LeftOut => walk.premises_without_contracts(),
        };
        self.leave_out(&mut walk, contracts);
        for other in others.iter().filter(|_| !walk.about_others.is_empty()) {
            let same_block = other.position.block == position.block;
            let of_two = self.check.walker.assumed_of_walks(&other.walk, &walk, same_block);
            let of_two = self.check.walker.pool.and(&of_two);
            assumed.push(self.check.walker.pool.implies(other.exists, of_two));
        }
        let assumed = self.check.walker.pool.and(&assumed);
        facts.push(self.check.walker.pool.implies(exists, assumed));
        (Known { position, walk, exists }, facts)
    }

    /// Is something assumed that no contract of a function states?
    fn states_more(&mut self) -> bool {
        let mut walk = self.check.walker.walk_alone();
        self.leave_out(&mut walk, Contracts::LeftOut);
        let is_stated = walk.assumptions.iter().any(|one| one.stated && !one.contract);
        is_stated || !walk.about_others.is_empty() || !self.check.walker.in_range.is_empty()
    }

    /// Drops what contracts state of two threads, if they are left out.
    fn leave_out(&self, walk: &mut Walk, contracts: Contracts) {
        let func = self.check.facts.func;
        let is_contract = |inst| {
            matches!(func.insts[inst], InstData::Annotation { kind: AnnotationKind::Contract, .. })
        };
        walk.about_others.retain(|one| contracts == Contracts::Counted || !is_contract(one.inst));
    }

    /// Does the thread have these ids?
    pub(super) fn is_at(&mut self, thread: &ThreadTerms, position: &Position) -> TermId {
        let ids = position.thread.iter().chain(&position.block);
        let mut same = vec![];
        for (&term, &id) in thread.thread.iter().chain(&thread.block).zip(ids) {
            let id = self.check.walker.pool.bv(32, u128::from(id));
            same.push(self.check.walker.pool.eq(term, id));
        }
        self.check.walker.pool.and(&same)
    }

    /// Another thread that may break the assumptions in the model's launch, and how many
    /// are worth collecting.
    fn who_breaks_them(
        &mut self,
        model: &Model,
        known: &[Position],
    ) -> Result<Breakers, SolverError> {
        let thread = self.check.walker.thread(Side::Alone, None);
        let mut literals = self.check.walker.facts_alone();
        literals.extend(self.launch_of(model));
        let assumed = self.check.walker.assumptions_of(&thread);
        let assumed = self.check.walker.pool.and(&assumed);
        literals.push(self.check.walker.pool.not(assumed));
        for position in known {
            let same = self.is_at(&thread, position);
            literals.push(self.check.walker.pool.not(same));
        }
        let limit = self.how_many(assumed, &[&thread]);
        let about = "a thread that breaks preconditions";
        let asked = self.check.asker.decide(
            &mut self.check.walker.pool,
            &literals,
            about,
            Effort::Example,
        )?;
        Ok(match asked.answer {
            Answer::Unsat => Breakers::Nobody,
            Answer::Unknown(reason) => Breakers::Unknown(reason),
            Answer::Sat(model) => {
                let threads = witness_of(&self.check.walker, &model).threads;
                Breakers::These(threads.into_iter().take(1).collect(), limit)
            }
        })
    }

    /// Two threads that may break what is assumed of two in the model's launch, not both
    /// of them known, and how many threads are worth collecting.
    fn which_two_break_them(
        &mut self,
        model: &Model,
        known: &[Position],
    ) -> Result<Breakers, SolverError> {
        let facts = self.check.facts;
        let launch = self.launch_of(model);
        for row in &facts.program.rows {
            let (first, second, mut literals) = self.check.walker.threads(row);
            let mut walks =
                [self.check.walker.walk_thread(&first), self.check.walker.walk_thread(&second)];
            walks.iter_mut().for_each(|walk| self.leave_out(walk, Contracts::LeftOut));
            let assumed =
                self.check.walker.assumed_of_walks(&walks[0], &walks[1], row.scope != Scope::Grid);
            if assumed.is_empty() {
                continue;
            }
            let assumed = self.check.walker.pool.and(&assumed);
            literals.extend(&launch);
            literals.push(self.check.walker.pool.not(assumed));
            let mut both_known = vec![];
            for thread in [&first, &second] {
                let places: Vec<TermId> =
                    known.iter().map(|position| self.is_at(thread, position)).collect();
                both_known.push(self.check.walker.pool.or(&places));
            }
            let both_known = self.check.walker.pool.and(&both_known);
            literals.push(self.check.walker.pool.not(both_known));
            let limit = self.how_many(assumed, &[&first, &second]);
            let about = "two threads that break preconditions";
            let asked = self.check.asker.decide(
                &mut self.check.walker.pool,
                &literals,
                about,
                Effort::Example,
            )?;
            match asked.answer {
                Answer::Unsat => {}
                Answer::Unknown(reason) => return Ok(Breakers::Unknown(reason)),
                Answer::Sat(model) => {
                    let mut breakers = witness_of(&self.check.walker, &model).threads;
                    breakers.retain(|position| !known.contains(position));
                    return Ok(Breakers::These(breakers, limit));
                }
            }
        }
        Ok(Breakers::Nobody)
    }

    /// How many threads are worth collecting that break this.
    fn how_many(&mut self, assumed: TermId, threads: &[&ThreadTerms]) -> usize {
        let mut known = self.launch_terms();
        known.extend(threads.iter().flat_map(|thread| thread.thread.iter().chain(&thread.block)));
        let is_unknown = |term: &TermId| {
            matches!(self.check.walker.pool.op(*term), Op::Apply(_)) && !known.contains(term)
        };
        match self.check.walker.pool.reachable(&[assumed]).iter().any(is_unknown) {
            true => MAX_THREADS_WITH_UNKNOWNS,
            false => MAX_THREADS,
        }
    }

    /// The sizes and arguments.
    fn launch_terms(&mut self) -> Vec<TermId> {
        let func = self.check.facts.func;
        let mut terms: Vec<TermId> = self.check.walker.geometry.block.into_iter().collect();
        terms.extend(self.check.walker.geometry.grid);
        for value in func.scalar_params().map(|param| param.value) {
            let sort = match func.type_of(value).bits() {
                Some(1) => Sort::Bool,
                Some(width) => Sort::BitVec(width),
                None => continue,
            };
            terms.push(self.check.walker.pool.constant(&argument_name(func, value), sort));
        }
        terms
    }

    /// Those of a model, as facts.
    fn launch_of(&mut self, model: &Model) -> Vec<TermId> {
        let mut facts = vec![];
        for term in self.launch_terms() {
            let Ok(value) = eval(&self.check.walker.pool, model, term) else { continue };
            let constant = match (value.bits(), value.as_bool()) {
                (Some(bits), _) => {
                    self.check.walker.pool.bv(self.check.walker.pool.width(term), bits)
                }
                (None, Some(truth)) => self.check.walker.pool.bool(truth),
                (None, None) => continue,
            };
            facts.push(self.check.walker.pool.eq(term, constant));
        }
        facts
    }
}

/// The ids of the first threads of a launch, block by block, x fastest. Along a dimension
/// of free size there are more than enough.
pub(super) fn first_positions(launch: &LaunchSpec) -> Vec<Position> {
    let size = |extent: &Extent| match extent {
        Extent::Number(number) => *number,
        Extent::Free => TOGETHER as u32,
    };
    let [block, grid] = [&launch.block, &launch.grid].map(|extents| extents.each_ref().map(size));
    let blocks = ids(grid);
    let all = blocks
        .flat_map(|block_id| ids(block).map(move |thread| Position { thread, block: block_id }));
    all.take(TOGETHER).collect()
}

/// All ids below these sizes, x fastest.
fn ids([x, y, z]: [u32; 3]) -> impl Iterator<Item = [u32; 3]> {
    (0..z).flat_map(move |k| (0..y).flat_map(move |j| (0..x).map(move |i| [i, j, k])))
}
