//! Walks of threads through a kernel: one by itself, two of a row through an interval.
//!
//! A [`Walker`] holds the terms of one attempt at a kernel: its launch, the loop
//! invariants that walks may assume and the arithmetic that is assumed to stay in range.
//! A check has the walks of a kernel made here and asks about what they yield.
//!
//! | file | holds |
//! |---|---|
//! | `premises` | the launch and the arguments that are given |
//! | `pair` | two threads at the start of an interval, and their walks through it |
//! | `lockstep` | which accesses are unordered if warps run in lock step |
//! | `about_others` | assumptions that name the other thread, and ghost values |
//! | `barrier_claims` | what is claimed of two threads at a barrier |
//! | `claims` | annotations about logged accesses, evaluated at an access |
//! | `guests` | a thread and further ones of its block |
//! | `counters` | additions to counters return different values |
//! | `conditions` | values of a thread, read off the instructions alone |
//! | `overlap` | common bytes of two accesses, and whether what is written differs |

mod about_others;
mod barrier_claims;
mod claims;
mod conditions;
mod counters;
mod guests;
mod lockstep;
mod overlap;
mod pair;
mod premises;

use duet_ir::Dim;
use duet_product::{KernelFacts, Region};
use duet_smt::{TermId, TermPool};

pub use about_others::Two;
pub use claims::{Log, Logged, Place};
pub use conditions::Reading;
pub use guests::{Group, walk_group};
pub use lockstep::Steps;
pub use pair::PairWalk;
pub use premises::Premises;

use crate::encode::Kernel;
use crate::symbols::{Origin, Side, Symbol, Symbols};
use crate::{Encoder, Geometry, InRange, Invariants, Sharing, Start, ThreadTerms, Visits, Walk};

/// Walks threads through a kernel.
pub struct Walker<'f> {
    /// The kernel.
    pub facts: &'f KernelFacts<'f>,
    /// The terms.
    pub pool: TermPool,
    /// The launch, as terms.
    pub geometry: Geometry,
    /// What walks may assume at the heads of loops.
    pub invariants: Invariants,
    /// Arithmetic that is assumed to stay in its range.
    pub in_range: InRange,
    /// What the kernel is walked for.
    pub premises: Premises,
    /// What the symbols of its terms stand for.
    pub symbols: Symbols,
}

/// The kernel as the encoder wants it: made of parts of a walker, so that terms can be
/// added meanwhile.
fn kernel<'k>(
    facts: &'k KernelFacts<'k>,
    geometry: &'k Geometry,
    in_range: &'k InRange,
    premises: &Premises,
) -> Kernel<'k> {
    Kernel { facts, geometry, private_arrays: premises.private_arrays, in_range }
}

impl<'f> Walker<'f> {
    /// With no invariants to assume yet.
    pub fn new(facts: &'f KernelFacts<'f>, premises: Premises, in_range: InRange) -> Walker<'f> {
        let (mut pool, mut symbols) = (TermPool::new(), Symbols::default());
        let geometry = premises.geometry(&mut pool, &mut symbols, facts.func);
        let invariants = Invariants::default();
        Walker { facts, pool, geometry, invariants, in_range, premises, symbols }
    }

    /// Walks one thread through a region with nothing shared; visits of headers that are
    /// not cut are treated as said.
    pub fn walk_visits(&mut self, region: &Region, tag: &str, visits: Visits) -> Walk {
        let thread = self.thread(Side::Alone, None);
        let sharing = Sharing { tag, ..Sharing::nothing() };
        let walk = Encoder::walk_visits(
            kernel(self.facts, &self.geometry, &self.in_range, &self.premises),
            &mut self.pool,
            &thread,
            region,
            &sharing,
            &self.invariants,
            visits,
        );
        self.learn(walk)
    }
}

impl Walker<'_> {
    /// A thread with ids of its own; `mate` gives it another thread's block.
    pub fn thread(&mut self, side: Side, mate: Option<&ThreadTerms>) -> ThreadTerms {
        let thread = self.geometry.thread(&mut self.pool, side, mate);
        let side_of = Some(side);
        for dim in Dim::ALL {
            let symbol = Symbol { origin: Origin::ThreadId(side, dim), side: side_of };
            self.symbols.note(&self.pool, thread.thread[dim.index()], symbol);
            if mate.is_none() {
                let symbol = Symbol { origin: Origin::BlockId(side, dim), side: side_of };
                self.symbols.note(&self.pool, thread.block[dim.index()], symbol);
            }
        }
        thread
    }

    /// Takes note of the symbols that a walk brought.
    fn learn(&mut self, mut walk: Walk) -> Walk {
        for (term, symbol) in walk.symbols.drain(..) {
            self.symbols.note(&self.pool, term, symbol);
        }
        walk
    }

    /// One thread by itself, through the whole kernel.
    pub fn walk_alone(&mut self) -> Walk {
        let thread = self.thread(Side::Alone, None);
        self.walk_thread(&thread)
    }

    /// The same for a thread with a name.
    pub fn walk_thread(&mut self, thread: &ThreadTerms) -> Walk {
        // Every thread sees the same contents of what is never written.
        let uses = &self.facts.uses;
        let contents = &|array| uses.is_never_written(array);
        let sharing = Sharing { contents, tag: "alone", ..Sharing::nothing() };
        let walk = Encoder::walk(
            kernel(self.facts, &self.geometry, &self.in_range, &self.premises),
            &mut self.pool,
            thread,
            &self.facts.program.alone,
            &sharing,
            &self.invariants,
            Start { before: None },
        );
        self.learn(walk)
    }

    /// What is known of one thread from the start.
    pub fn facts_alone(&mut self) -> Vec<TermId> {
        let thread = self.thread(Side::Alone, None);
        let mut facts = self.geometry.facts.clone();
        facts.extend(thread.facts);
        facts
    }

    /// What a thread assumes on its walk through the whole kernel, contracts of functions
    /// aside.
    pub fn assumptions_of(&mut self, thread: &ThreadTerms) -> Vec<TermId> {
        self.walk_thread(thread).premises_without_contracts()
    }
}
