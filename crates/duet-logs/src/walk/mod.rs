//! The walk of two threads in lock step.
//!
//! Blocks are walked in an order in which each comes after its predecessors and the blocks
//! of a loop come together. At each block every thread has a term that says whether it is
//! enabled there; what an instruction does, it does to the enabled ones. So the kernel is
//! a straight line of predicated instructions, and the log, the versions of arrays and
//! private memory are states along this line. Loops are cut at their heads ([`loops`]).
//!
//! A thread is *alive* as long as it met everything that is assumed on its way, ran into no
//! trap and is in no loop that never ends. Only accesses of threads that are alive when
//! they make them count, and only barriers that both threads are alive at.
//!
//! SOUNDNESS: an assumption ends the thread that breaks it, and is no fact about what was
//! done before: an access that was logged before stays logged
//! (test `an_assumption_does_not_excuse_what_came_before`).

pub(crate) mod accesses;
mod barriers;
pub(crate) mod evaluate;
mod first;
pub(crate) mod instructions;
mod loops;
pub(crate) mod states;
mod values;
mod warps;

pub(crate) use accesses::kind_in;
pub(crate) use warps::lanes_meet;

use self::instructions::walk_instruction;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use duet_analysis::{Loop, Scope};
use duet_ir::{Array, Block, Inst, Rule, Terminator, Value};
use duet_product::KernelFacts;
use duet_smt::{TermId, TermPool};
use duet_vc::{Geometry, InRange, ThreadTerms};

use crate::facts::Known;
use crate::log::{Key, Log, Site};
use crate::options::LogOptions;
use crate::statement::Candidate;

/// Which threads are walked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Row {
    /// One thread, without a partner.
    Alone,
    /// Two threads of a block.
    Block,
    /// Two threads of different blocks.
    Grid,
}

impl Row {
    /// The scope that the threads share.
    pub fn scope(self) -> Scope {
        match self {
            Row::Alone | Row::Block => Scope::Block,
            Row::Grid => Scope::Grid,
        }
    }
}

/// One of the threads.
pub(crate) struct Thread {
    /// Its ids.
    pub terms: ThreadTerms,
    /// Terms of values.
    pub values: HashMap<Value, TermId>,
    /// It met all that is assumed, and got here.
    pub alive: TermId,
    /// Contents of private arrays, as maps from offsets to elements.
    pub private: BTreeMap<Array, TermId>,
}

/// What a load from an array that the kernel writes yields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Version {
    /// A function of the offset, the same for both threads.
    Common(u32),
    /// A function of the offset, another one for each thread.
    Own(u32),
}

/// What has to be shown.
pub(crate) struct Obligation {
    /// What is known.
    pub known: Known,
    /// What must not be possible together with it; of an edge, that it is taken.
    pub goal: Vec<TermId>,
    /// What it is about.
    pub what: What,
    /// What it meets in the log, if it does: the entry, and the term that names its site.
    pub logged: Option<(Key, TermId)>,
}

/// What an obligation is about.
pub(crate) enum What {
    /// These candidates hold at the end of a way to a head; `None` where that cannot be told.
    Edge {
        /// The way comes from inside the loop.
        is_back: bool,
        /// The candidates.
        claims: Vec<(usize, Option<TermId>)>,
    },
    /// Something that must not happen at these places.
    Defect {
        /// What.
        rule: Rule,
        /// Where.
        places: Vec<Inst>,
        /// If this is excluded, it is tolerated and only a warning of this rule.
        tolerated: Option<(Rule, Vec<TermId>)>,
    },
}

/// What is walked, and how.
#[derive(Clone, Copy)]
pub(crate) struct Setting<'k> {
    /// The kernel.
    pub facts: &'k KernelFacts<'k>,
    /// Options.
    pub options: &'k LogOptions,
    /// Arithmetic that is assumed to stay in range.
    pub in_range: &'k InRange,
    /// A thread that returned before a barrier is tolerated.
    pub tolerates_exits: bool,
    /// Two writes of the same value are no race.
    pub tolerates_benign: bool,
    /// Accesses must stay inside these arrays, which have these sizes if they are known.
    pub sizes: &'k BTreeMap<Array, Option<u64>>,
    /// Only so many iterations of each loop are walked, one after the other: for an engine that
    /// refutes candidates, and for nothing else.
    pub iterations: Option<u32>,
}

/// The walk.
pub(crate) struct Lockstep<'k> {
    pub setting: Setting<'k>,
    pub pool: &'k mut TermPool,
    pub geometry: &'k Geometry,
    pub row: Row,
    /// The two threads are in one warp, which runs in lock step (`--warp-sync`); none if no
    /// warp does, or if no two threads of a warp are walked.
    pub in_lock_step: Option<TermId>,
    pub threads: Vec<Thread>,
    pub known: Known,
    pub log: Log,
    /// Every place that is logged; its number is what entries remember.
    pub sites: Vec<Site>,
    pub versions: BTreeMap<Array, Version>,
    /// Loops' invariants that are known already.
    pub invariants: &'k [Candidate],
    /// Candidates to be shown.
    pub candidates: Vec<Candidate>,
    pub obligations: Vec<Obligation>,
    /// Only the ways out of a loop are walked again: nothing is logged or checked.
    pub is_ghost: bool,
    /// Both threads leave at the same visits all loops whose ways out are being walked.
    pub is_aligned: bool,
    /// No access was logged yet.
    pub is_quiet: bool,
    /// The next number of a version.
    pub next_version: u32,
    /// Threads that are on their way to code without a barrier, or at its end, by how many
    /// loops are around the place from where they went.
    pub gone: Vec<Gone>,
    /// The loops that are being walked.
    pub inside: Vec<Loop>,
    /// The iterations of the loops that the first thread is in.
    pub current_visits: BTreeMap<Loop, TermId>,
    /// Blocks from which a barrier can be reached.
    pub before_barriers: BTreeSet<Block>,
}

/// Threads that left for code without a barrier.
#[derive(Clone)]
pub(crate) struct Gone {
    /// How many loops were being walked.
    pub depth: usize,
    /// The condition, for each thread.
    pub guards: Vec<TermId>,
}

/// An edge that was taken.
#[derive(Clone, Debug)]
pub(crate) struct Arrival {
    /// The condition, for each thread.
    pub guards: Vec<TermId>,
    /// What the parameters are bound to, for each thread.
    pub args: Vec<Vec<TermId>>,
}

/// What leads out of a region.
#[derive(Default)]
pub(crate) struct Ways {
    /// To the head of the loop that the region is.
    pub back: Vec<Arrival>,
    /// Out of the loop.
    pub out: Vec<(Block, Arrival)>,
}

impl Lockstep<'_> {
    /// Walks the whole kernel.
    pub fn run(&mut self) {
        let facts = self.setting.facts;
        let blocks = facts.loops.order().to_vec();
        let always = vec![self.pool.tt(); self.threads.len()];
        let args = vec![vec![]; self.threads.len()];
        self.region(&blocks, None, Arrival { guards: always, args });
    }

    /// Walks blocks in their order, from the first on.
    pub fn region(&mut self, blocks: &[Block], of: Option<Loop>, start: Arrival) -> Ways {
        let facts = self.setting.facts;
        let mut arrivals: HashMap<Block, Vec<Arrival>> = HashMap::new();
        let Some(&first) = blocks.first() else { return Ways::default() };
        arrivals.insert(first, vec![start]);
        let mut ways = Ways::default();
        let mut position = 0;
        while let Some(&block) = blocks.get(position) {
            let here = arrivals.remove(&block).unwrap_or_default();
            let taken = match facts.loops.headed_by(block).filter(|&id| Some(id) != of) {
                Some(inner) => {
                    position += facts.loops.data(inner).blocks.len();
                    self.walk_loop(inner, &here)
                }
                None => {
                    position += 1;
                    self.block(block, &here)
                }
            };
            for (to, arrival) in taken {
                let is_back = of.is_some_and(|id| facts.loops.data(id).header == to);
                if is_back {
                    ways.back.push(arrival);
                } else if of.is_none_or(|id| facts.loops.contains(id, to)) {
                    self.note_gone(to, &arrival);
                    arrivals.entry(to).or_default().push(arrival);
                } else {
                    ways.out.push((to, arrival));
                }
            }
        }
        ways
    }

    /// Takes note of threads that go where no barrier can be reached any more.
    fn note_gone(&mut self, to: Block, arrival: &Arrival) {
        if !self.is_ghost && !self.before_barriers.contains(&to) {
            let depth = self.inside.len();
            self.gone.push(Gone { depth, guards: arrival.guards.clone() });
        }
    }

    /// Walks a block that heads no loop, or the one that is being walked.
    fn block(&mut self, block: Block, arrivals: &[Arrival]) -> Vec<(Block, Arrival)> {
        let func = self.setting.facts.func;
        let reach = self.bind(block, arrivals);
        for &inst in &func.blocks[block].insts {
            walk_instruction(self, inst, &reach);
        }
        self.terminator(block, &reach)
    }

    /// When each thread is in a block, with its parameters bound.
    pub fn bind(&mut self, block: Block, arrivals: &[Arrival]) -> Vec<TermId> {
        let params = &self.setting.facts.func.blocks[block].params;
        let mut reach = vec![];
        for thread in 0..self.threads.len() {
            let guards: Vec<TermId> = arrivals.iter().map(|one| one.guards[thread]).collect();
            reach.push(self.join(&guards));
            for (number, &param) in params.iter().enumerate() {
                let choices =
                    arrivals.iter().map(|one| (one.guards[thread], one.args[thread][number]));
                let choices: Vec<(TermId, TermId)> = choices.collect();
                let term = self.choose(&choices, param);
                self.threads[thread].values.insert(param, term);
            }
        }
        reach
    }

    /// The edges out of a block.
    fn terminator(&mut self, block: Block, reach: &[TermId]) -> Vec<(Block, Arrival)> {
        let func = self.setting.facts.func;
        let terminator = &func.blocks[block].terminator;
        match terminator {
            Terminator::Return(_) => {
                let depth = self.inside.len();
                self.gone.push(Gone { depth, guards: reach.to_vec() });
            }
            Terminator::Halt => {
                for (thread, &here) in reach.iter().enumerate() {
                    let never = self.pool.ff();
                    self.assume(thread, here, never);
                }
            }
            Terminator::Jump(_) | Terminator::Branch { .. } | Terminator::Switch { .. } => {}
        }
        let mut taken: Vec<(Block, Arrival)> = terminator
            .edges()
            .iter()
            .map(|edge| (edge.block, Arrival { guards: vec![], args: vec![] }))
            .collect();
        for (thread, &here) in reach.iter().enumerate() {
            let conditions = self.conditions(thread, terminator);
            for (number, edge) in terminator.edges().into_iter().enumerate() {
                let guard = self.pool.and2(here, conditions[number]);
                let args = edge.args.iter().map(|&arg| self.term(thread, arg)).collect();
                taken[number].1.guards.push(guard);
                taken[number].1.args.push(args);
            }
        }
        taken
    }

    /// When each edge is taken.
    fn conditions(&mut self, thread: usize, terminator: &Terminator) -> Vec<TermId> {
        match terminator {
            Terminator::Jump(_) => vec![self.pool.tt()],
            Terminator::Branch { cond, .. } => {
                let cond = self.term(thread, *cond);
                vec![cond, self.pool.not(cond)]
            }
            Terminator::Switch { arg, cases, .. } => {
                let ty = self.setting.facts.func.type_of(*arg);
                let arg = self.term(thread, *arg);
                let mut conditions = vec![];
                for (bits, _) in cases {
                    let number = duet_vc::ops::constant(self.pool, *bits, ty);
                    conditions.push(self.pool.eq(arg, number));
                }
                let any = self.pool.or(&conditions);
                conditions.push(self.pool.not(any));
                conditions
            }
            Terminator::Return(_) | Terminator::Halt => vec![],
        }
    }
}
