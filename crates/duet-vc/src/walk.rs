//! What walking a region yields.

use std::collections::HashMap;

use duet_analysis::Loop;
use duet_ir::{Array, AtomicOp, EntityRef, Inst, MemoryScope, Value};
use duet_product::{Context, End, Node};
use duet_smt::TermId;

use crate::memory::Memory;
use crate::statement::Candidate;
use crate::symbols::Symbol;

/// A walked region.
#[derive(Clone, Debug, Default)]
pub struct Walk {
    /// Condition under which the thread gets to a node.
    pub reach: HashMap<Node, TermId>,
    /// Terms of values, by the iteration they were computed in.
    pub values: HashMap<(Context, Value), TermId>,
    /// Memory at the end of each node.
    pub memory: HashMap<Node, Memory>,
    /// Accesses.
    pub sites: Vec<SiteTerm>,
    /// What may be taken for granted after it was passed: assumptions of the
    /// source, and invariants at cut headers.
    pub assumptions: Vec<Assumption>,
    /// What the source assumes of this thread and another one. This walk does not know
    /// what the other's values are, so it is no fact yet.
    pub about_others: Vec<AboutOthers>,
    /// Whether each node is on the way to a node.
    pub ancestors: HashMap<Node, Vec<bool>>,
    /// What must hold of the thread by itself.
    pub obligations: Vec<ObligationTerm>,
    /// Claims about memory that were passed on the way to a barrier.
    pub claims: Vec<ClaimTerm>,
    /// Values of the other thread that annotations name.
    pub others: Vec<OtherTerm>,
    /// Reads for annotations of which it is not known that they yield what the thread sees.
    pub unseen: Vec<Unseen>,
    /// Memory at the start.
    pub at_start: Memory,
    /// Cut headers, for checking invariants.
    pub headers: Vec<HeaderTerm>,
    /// Visits of headers that are not cut, if they were to be noted: each as a header
    /// with one edge.
    pub visits: Vec<HeaderTerm>,
    /// Ends of the region.
    pub ends: Vec<EndTerm>,
    /// The cells that the thread knows at the end that the walk was pruned to, of arrays
    /// that are carried over barriers.
    pub known_at_end: Vec<KnownCell>,
    /// What the symbols stand for that the walk brought into its terms.
    pub symbols: Vec<(TermId, Symbol)>,
    /// Memory as the thread finds it at the root.
    pub initial: Memory,
    /// Memory after each barrier that the walk passes.
    pub after_barriers: Vec<AfterBarrier>,
    /// Waits for asynchronous copies, with the events.
    pub waits: Vec<(Inst, Vec<TermId>)>,
}

/// What a thread knows of memory when it has passed a barrier.
#[derive(Clone, Debug)]
pub struct AfterBarrier {
    /// The barrier.
    pub inst: Inst,
    /// Where in the walk.
    pub at: Point,
    /// Condition under which it is reached.
    pub guard: TermId,
    /// What is known then.
    pub memory: Memory,
}

/// A fact that holds from a point on.
#[derive(Clone, Copy, Debug)]
pub struct Assumption {
    /// Where it is stated.
    pub at: Point,
    /// It, or that its place was not passed.
    pub fact: TermId,
    /// The source states it: a precondition, an assumption or an axiom.
    pub stated: bool,
    /// It is one of the invariants that the walk was given: the loop, and the position
    /// among those of the loop.
    pub invariant: Option<(Loop, usize)>,
    /// It holds in every run that comes here: a claim about memory at a barrier, which is
    /// proved where it is made, or a closed form.
    pub derived: bool,
    /// The contract of a function states it, whose body is not looked at here.
    pub contract: bool,
}

/// An assumption that names the other thread.
#[derive(Clone, Copy, Debug)]
pub struct AboutOthers {
    /// The annotation.
    pub inst: Inst,
    /// Where it is stated.
    pub at: Point,
    /// Condition under which it is reached.
    pub guard: TermId,
    /// What is assumed.
    pub holds: TermId,
}

/// A place in a walk: a node, and how far in the order of the walk.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Point {
    /// The node.
    pub node: Node,
    /// Grows along the walk.
    pub moment: u32,
}

impl Walk {
    /// Is the first node on a way to the second?
    pub fn is_before(&self, first: Node, second: Node) -> bool {
        self.ancestors.get(&second).is_some_and(|nodes| nodes[first.index()])
    }

    /// The facts that a thread at `point` has passed.
    ///
    /// SOUNDNESS: what is assumed later, or on another way, is no fact here: an
    /// invariant must not help to prove that it holds on arrival, nor an
    /// assumption excuse an access before it (test `later_assumptions`).
    pub fn facts_at(&self, point: Point) -> Vec<TermId> {
        self.passed_at(point).map(|assumption| assumption.fact).collect()
    }

    /// Those of them that the source does not state.
    pub fn facts_not_stated_at(&self, point: Point) -> Vec<TermId> {
        let own = self.passed_at(point).filter(|assumption| !assumption.stated);
        own.map(|assumption| assumption.fact).collect()
    }

    /// The facts that have to be shown possible, wherever they are stated.
    ///
    /// What is derived need not be: a run that meets all that is assumed meets it as well.
    ///
    /// SOUNDNESS: unless something is assumed behind it, which may contradict it
    /// (kernels/claims/61-assumed-against-claim).
    pub fn premises(&self) -> Vec<TermId> {
        self.premises_if(true)
    }

    /// The same without what contracts of functions state.
    pub fn premises_without_contracts(&self) -> Vec<TermId> {
        self.premises_if(false)
    }

    fn premises_if(&self, contracts: bool) -> Vec<TermId> {
        let derived = || self.assumptions.iter().filter(|one| one.derived);
        let counts = |one: &&Assumption| contracts || !one.contract;
        let assumed = || self.assumptions.iter().filter(counts).filter(|one| !one.derived);
        let is_behind = |one: &Assumption| derived().any(|it| self.has_passed(it.at, one.at));
        let all = assumed().any(is_behind);
        let kept = self.assumptions.iter().filter(counts).filter(|one| all || !one.derived);
        kept.map(|one| one.fact).collect()
    }

    /// The same, each with where it comes from.
    pub fn passed_at(&self, point: Point) -> impl Iterator<Item = &Assumption> {
        self.assumptions.iter().filter(move |assumption| self.has_passed(assumption.at, point))
    }

    /// Has a thread at `point` passed the place?
    pub fn has_passed(&self, place: Point, point: Point) -> bool {
        match place.node == point.node {
            true => place.moment < point.moment,
            false => self.is_before(place.node, point.node),
        }
    }
}

/// An access to memory.
#[derive(Clone, Debug)]
pub struct SiteTerm {
    /// The instruction.
    pub inst: Inst,
    /// Where in the walk.
    pub at: Point,
    /// The iteration it belongs to.
    pub context: Context,
    /// The array.
    pub array: Array,
    /// Condition under which it happens.
    pub guard: TermId,
    /// Byte offset.
    pub offset: TermId,
    /// Bytes that it covers.
    pub bytes: u32,
    /// Does it write?
    pub writes: bool,
    /// The atomic operation it is, and its scope.
    pub atomic: Option<(AtomicOp, MemoryScope)>,
    /// What it writes, element by element.
    pub values: Vec<TermId>,
    /// Alignment that the source promises.
    pub align: u32,
    /// The operands of an atomic operation.
    pub operands: Vec<TermId>,
    /// What an atomic operation yields, if anybody uses it.
    pub result: Option<TermId>,
    /// It is done by the agent of an asynchronous copy, not by the thread.
    pub by_agent: bool,
}

/// A cell that others cannot have changed since the thread accessed it.
#[derive(Clone, Copy, Debug)]
pub struct KnownCell {
    /// It was accessed, and nothing that orders threads came after it.
    pub guard: TermId,
    /// The array.
    pub array: Array,
    /// Byte offset.
    pub offset: TermId,
    /// Bytes that it covers.
    pub bytes: u32,
}

/// Something that must hold when it is reached.
#[derive(Clone, Debug)]
pub struct ObligationTerm {
    /// The instruction.
    pub inst: Inst,
    /// Where in the walk.
    pub at: Point,
    /// Condition under which it is reached.
    pub guard: TermId,
    /// What must hold.
    pub holds: TermId,
    /// It speaks of another thread or of logged accesses, which this walk knows
    /// nothing about.
    pub not_expressible: bool,
}

/// A claim about memory at the barrier that comes next.
#[derive(Clone, Debug)]
pub struct ClaimTerm {
    /// The annotation.
    pub inst: Inst,
    /// Where in the walk.
    pub at: Point,
    /// The iteration it belongs to.
    pub context: Context,
    /// Condition under which it is reached.
    pub guard: TermId,
    /// What it says of this thread; what it reads of memory is unknown unless no other thread
    /// can have changed it.
    pub holds: TermId,
    /// The threads that it is to be used for.
    pub instances: Vec<TermId>,
    /// The element that it is about, if it is about every element of an array.
    pub cell: Option<CellTerm>,
}

/// An arbitrary element of an array.
#[derive(Clone, Debug)]
pub struct CellTerm {
    /// Its number.
    pub number: TermId,
    /// The array, where it starts, and the bytes of an element.
    pub array: Array,
    /// Byte offset of the first element.
    pub base: TermId,
    /// Bytes of an element.
    pub size: u32,
    /// What is claimed of it, if it holds what it held at the start.
    pub if_quiet: TermId,
    /// What was claimed of it at the start.
    pub known: Vec<TermId>,
}

/// A value of the other thread.
#[derive(Clone, Copy, Debug)]
pub struct OtherTerm {
    /// The instruction that names it.
    pub inst: Inst,
    /// The iteration it belongs to.
    pub context: Context,
    /// The symbol that stands for it.
    pub symbol: TermId,
    /// This thread's own value.
    pub own: TermId,
}

/// A read for an annotation that may find what others wrote.
#[derive(Clone, Copy, Debug)]
pub struct Unseen {
    /// The read.
    pub inst: Inst,
    /// Where in the walk.
    pub at: Point,
    /// It yields what the thread sees.
    pub is_seen: TermId,
}

/// A cut header.
#[derive(Clone, Debug)]
pub struct HeaderTerm {
    /// The loop.
    pub id: Loop,
    /// The node.
    pub node: Node,
    /// The iteration it belongs to.
    pub context: Context,
    /// Parameters on arrival from outside.
    pub initial: Vec<TermId>,
    /// Parameters at the arbitrary visit.
    pub params: Vec<TermId>,
    /// How many visits came before it, since the arrival from outside.
    pub visits: TermId,
    /// Edges that come from outside, then edges that come back.
    pub edges: Vec<HeaderEdge>,
    /// What the thread knows of memory at the arbitrary visit.
    pub memory: Memory,
}

/// An edge to a cut header.
#[derive(Clone, Debug)]
pub struct HeaderEdge {
    /// It comes from inside the loop.
    pub is_back: bool,
    /// Where it comes from.
    pub at: Point,
    /// Condition under which it is taken.
    pub guard: TermId,
    /// What it binds the parameters to.
    pub args: Vec<TermId>,
    /// For each invariant that the walk assumed: what it says of these arguments,
    /// where that can be expressed.
    pub claims: Vec<(Candidate, Option<TermId>)>,
}

/// An end of the region.
#[derive(Clone, Copy, Debug)]
pub struct EndTerm {
    /// Where.
    pub at: Point,
    /// How.
    pub end: End,
    /// Condition under which the walk ends here.
    pub guard: TermId,
}
