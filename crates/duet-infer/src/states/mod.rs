//! The states that loops run through, where they are few: what the counters of a
//! loop and of the loops around it can be, found by running the kernel on what is
//! known.
//!
//! The kernel is run with sizes and arguments that are given or required; whatever
//! depends on the thread, on memory or on anything else is unknown. A branch on
//! something unknown is taken both ways. At each visit of a loop's header the known
//! parameters of the header and of the headers around it are noted. A bitonic sort
//! has (2, 1), (4, 2), (4, 1), (8, 4), …; a scan has (512, 1), (256, 2), ….
//!
//! Input: a function, with what the ranges of `duet-analysis` know. Output: a set of
//! tuples per header. Every reachable tuple is in the set, but nothing relies on
//! that: the set is a candidate like any other, proved before it is used.
//!
//! Cost: at most [`MAX_VISITS`] visits of blocks per attempt. A parameter with more
//! than [`MAX_STATES`] values is unknown in the next attempt. What it does not
//! handle: counters that depend on the thread, and sizes that are not known.

mod fold;
mod liveness;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use duet_analysis::{Loop, Loops, Range, Ranges};
use duet_ir::{Block, Function, InstData, Operation, SecondaryMap, Terminator, Type, Value};

/// Tuples of a header after which it is given up: a bitonic sort of up to 1024 elements
/// has 65.
pub const MAX_STATES: usize = 80;
/// Visits of blocks in an attempt.
const MAX_VISITS: usize = 4000;
/// Attempts, each with fewer parameters.
const MAX_ATTEMPTS: usize = 12;

/// What is known of some values.
type Known = BTreeMap<Value, u128>;

/// The tuples of a header.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HeaderStates {
    /// What the tuples are about: parameters of this header and of headers around.
    pub values: Vec<Value>,
    /// The bits of each of these.
    pub tuples: BTreeSet<Vec<u128>>,
}

/// The states of all loops that have few.
#[derive(Clone, Debug, Default)]
pub struct States {
    loops: BTreeMap<Loop, HeaderStates>,
}

impl States {
    /// Of a function.
    pub fn new(func: &Function, loops: &Loops, ranges: &Ranges) -> States {
        if !loops.is_reducible() || loops.is_empty() {
            return States::default();
        }
        let live = liveness::live_at_start(func);
        let mut unknown = BTreeSet::new();
        for _ in 0..MAX_ATTEMPTS {
            let mut run =
                Run { func, loops, ranges, live: &live, unknown: &unknown, seen: BTreeMap::new() };
            if run.finishes() {
                return States { loops: run.tuples() };
            }
            let many = run.params_with_many_values();
            if many.is_empty() {
                break;
            }
            unknown.extend(many);
        }
        States::default()
    }

    /// The tuples of a loop's header; none if nothing is known there.
    pub fn of(&self, id: Loop) -> Option<&HeaderStates> {
        self.loops.get(&id)
    }
}

/// One attempt.
struct Run<'a> {
    func: &'a Function,
    loops: &'a Loops,
    ranges: &'a Ranges,
    live: &'a SecondaryMap<Block, BTreeSet<Value>>,
    /// Parameters that are left unknown.
    unknown: &'a BTreeSet<Value>,
    /// What was known at visits of headers.
    seen: BTreeMap<Loop, HashSet<Known>>,
}

impl Run<'_> {
    /// Runs along all ways; false if there are too many.
    fn finishes(&mut self) -> bool {
        let mut visited: HashSet<(Block, Known)> = HashSet::new();
        let mut open = vec![(self.func.entry(), Known::new())];
        while let Some((block, known)) = open.pop() {
            if !visited.insert((block, known.clone())) {
                continue;
            }
            if visited.len() > MAX_VISITS || !self.note(block, &known) {
                return false;
            }
            open.extend(self.step(block, known));
        }
        true
    }

    /// Notes a visit of a header; false if it has too many.
    fn note(&mut self, block: Block, known: &Known) -> bool {
        let Some(id) = self.loops.headed_by(block) else { return true };
        let counters: BTreeSet<Value> = self.counters(id).collect();
        let tuple = known.iter().filter(|(value, _)| counters.contains(value));
        let seen = self.seen.entry(id).or_default();
        seen.insert(tuple.map(|(&value, &bits)| (value, bits)).collect());
        seen.len() <= MAX_STATES
    }

    /// The parameters of a header and of those around it, outer ones first.
    fn counters(&self, id: Loop) -> impl Iterator<Item = Value> + '_ {
        let mut around: Vec<Loop> = self.loops.around(self.loops.data(id).header).collect();
        around.reverse();
        let header = |id: Loop| self.loops.data(id).header;
        around.into_iter().flat_map(move |id| self.func.blocks[header(id)].params.iter().copied())
    }

    /// Where one visit of a block leads.
    fn step(&self, block: Block, mut known: Known) -> Vec<(Block, Known)> {
        let data = &self.func.blocks[block];
        for &inst in &data.insts {
            if let [result] = self.func.results_of[inst][..]
                && let Some(bits) = self.result(&self.func.insts[inst], &known, block, result)
            {
                known.insert(result, bits);
            }
        }
        let edges = data.terminator.edges();
        let taken: Vec<usize> = match &data.terminator {
            Terminator::Branch { cond, .. } => match self.bits(*cond, &known, block) {
                Some(bits) => vec![usize::from(bits == 0)],
                None => vec![0, 1],
            },
            Terminator::Switch { arg, cases, .. } => match self.bits(*arg, &known, block) {
                Some(bits) => {
                    let case = cases.iter().position(|(case, _)| *case == bits);
                    vec![case.unwrap_or(cases.len())]
                }
                None => (0..edges.len()).collect(),
            },
            Terminator::Jump(_) | Terminator::Return(_) | Terminator::Halt => {
                (0..edges.len()).collect()
            }
        };
        taken.into_iter().map(|index| self.follow(block, edges[index], &known)).collect()
    }

    /// What is known after an edge: what is still needed, and the new parameters.
    fn follow(&self, from: Block, edge: &duet_ir::Edge, known: &Known) -> (Block, Known) {
        let mut next: Known = known
            .iter()
            .filter(|(value, _)| self.live[edge.block].contains(value))
            .map(|(&value, &bits)| (value, bits))
            .collect();
        let params = &self.func.blocks[edge.block].params;
        for (&param, &arg) in params.iter().zip(&edge.args) {
            match self.bits(arg, known, from).filter(|_| !self.unknown.contains(&param)) {
                Some(bits) => next.insert(param, bits),
                None => next.remove(&param),
            };
        }
        (edge.block, next)
    }

    fn bits(&self, value: Value, known: &Known, block: Block) -> Option<u128> {
        let given = self.func.const_bits(value).or_else(|| known.get(&value).copied());
        given.or_else(|| self.ranges.at(value, block)?.as_single())
    }

    /// What a value may be.
    fn range(&self, value: Value, known: &Known, block: Block) -> Option<Range> {
        match self.bits(value, known, block) {
            // Ranges are kept for 64 bits at most; a stated relation may be wider.
            Some(bits) => {
                let width = self.width(value).filter(|width| *width <= 64)?;
                Some(Range::single(bits, width as u8))
            }
            None => self.ranges.at(value, block),
        }
    }

    fn width(&self, value: Value) -> Option<u32> {
        match self.func.type_of(value) {
            Type::Int(width) => Some(u32::from(width)),
            Type::Float(_) | Type::Ref => None,
        }
    }

    fn result(&self, data: &InstData, known: &Known, block: Block, result: Value) -> Option<u128> {
        let bits = |value: Value| self.bits(value, known, block);
        let width = self.width(result)?;
        match data.operation()? {
            Operation::Binary { op, args: [a, b], .. } => {
                fold::binary(op, bits(a)?, bits(b)?, width)
            }
            Operation::Cast { op, arg, .. } => fold::cast(op, bits(arg)?, self.width(arg)?, width),
            Operation::IntCompare { cc, args: [a, b] } => {
                let holds = match (bits(a), bits(b)) {
                    (Some(x), Some(y)) => fold::compare(cc, x, y, self.width(a)?),
                    // The test of a free size may be clear: no block has 4096 threads.
                    _ => {
                        let [a, b] = [a, b].map(|value| self.range(value, known, block));
                        Range::compare(cc, a?, b?)?
                    }
                };
                Some(u128::from(holds))
            }
            Operation::Select { cond, args: [a, b] } => match bits(cond)? {
                0 => bits(b),
                _ => bits(a),
            },
            Operation::Unary { .. } | Operation::FloatCompare { .. } | Operation::Geometry(_) => {
                None
            }
        }
    }

    /// The tuples of each header, over what is known at all its visits.
    fn tuples(&self) -> BTreeMap<Loop, HeaderStates> {
        let mut found = BTreeMap::new();
        for (&id, seen) in &self.seen {
            let always = |value: &Value| seen.iter().all(|known| known.contains_key(value));
            let values: Vec<Value> = self.counters(id).filter(always).collect();
            if !values.is_empty() {
                let tuple = |known: &Known| values.iter().map(|value| known[value]).collect();
                found.insert(id, HeaderStates { tuples: seen.iter().map(tuple).collect(), values });
            }
        }
        found
    }

    /// The parameters with the most values at some header.
    fn params_with_many_values(&self) -> BTreeSet<Value> {
        let mut values: BTreeMap<Value, HashSet<u128>> = BTreeMap::new();
        for known in self.seen.values().flatten() {
            for (&value, &bits) in known {
                values.entry(value).or_default().insert(bits);
            }
        }
        let most = values.values().map(HashSet::len).max().unwrap_or(0);
        values.into_iter().filter(|(_, seen)| seen.len() == most).map(|(value, _)| value).collect()
    }
}
