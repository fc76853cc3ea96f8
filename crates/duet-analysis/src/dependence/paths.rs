//! Paths between instructions: what a thread may or must execute on its way from one
//! instruction to another.
//!
//! Every answer is about the paths of the control-flow graph, of which runs take some. So
//! [`Paths::may_reach`] errs on the side of yes, and what is shown by its absence is a fact
//! about every run: `a` is executed before `b` ([`Paths::must_precede`]), a condition holds
//! where an instruction is executed ([`Paths::conditions_at`]).
//!
//! Edges may be left out, for a thread that is known not to take them.
//!
//! Cost: each question is a search of the graph. It is meant for kernels that order their
//! threads by fences, which are few.

use std::collections::{BTreeMap, BTreeSet};

use duet_ir::{Block, Function, Inst, Terminator, Value};

use super::EdgeId;

/// The paths of a function.
pub struct Paths<'f> {
    func: &'f Function,
    places: BTreeMap<Inst, (Block, usize)>,
    never_taken: BTreeSet<EdgeId>,
}

/// A condition that holds, or does not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Condition {
    /// What was branched on.
    pub value: Value,
    /// It was true.
    pub holds: bool,
}

/// Where a search ends.
enum Goal {
    Inst(Inst),
    Return,
}

impl<'f> Paths<'f> {
    /// All paths of a function.
    pub fn new(func: &'f Function) -> Paths<'f> {
        Paths::without(func, BTreeSet::new())
    }

    /// The paths that take none of these edges.
    pub fn without(func: &'f Function, never_taken: BTreeSet<EdgeId>) -> Paths<'f> {
        let mut places = BTreeMap::new();
        for &block in &func.layout {
            let insts = func.blocks[block].insts.iter().enumerate();
            places.extend(insts.map(|(index, &inst)| (inst, (block, index))));
        }
        Paths { func, places, never_taken }
    }

    /// Those of these paths that take none of further edges.
    pub fn but(&self, never_taken: BTreeSet<EdgeId>) -> Paths<'f> {
        let (func, places) = (self.func, self.places.clone());
        Paths { func, places, never_taken: &self.never_taken | &never_taken }
    }

    /// May a thread that has just executed `from` (or starts) get to `to` without executing
    /// an instruction that stops it?
    pub fn may_reach(&self, from: Option<Inst>, to: Inst, stops: impl Fn(Inst) -> bool) -> bool {
        self.search(from, &Goal::Inst(to), &stops, None)
    }

    /// May it return without executing an instruction that stops it?
    pub fn may_return(&self, from: Inst, stops: impl Fn(Inst) -> bool) -> bool {
        self.search(Some(from), &Goal::Return, &stops, None)
    }

    /// May a thread run from its start to its return without executing an instruction that
    /// stops it?
    pub fn starts_and_returns(&self, stops: impl Fn(Inst) -> bool) -> bool {
        self.search(None, &Goal::Return, &stops, None)
    }

    /// May an instruction be executed twice by one thread?
    pub fn may_repeat(&self, inst: Inst) -> bool {
        self.may_reach(Some(inst), inst, |_| false)
    }

    /// Was `a` executed whenever `b` is?
    pub fn must_precede(&self, a: Inst, b: Inst) -> bool {
        a != b && !self.may_reach(None, b, |inst| inst == a)
    }

    /// The conditions that hold of the values as they are whenever the instruction is
    /// executed: those of the edges that every path to it takes.
    ///
    /// SOUNDNESS: the values are those of the last time that the edge was taken. Nothing
    /// that the condition is computed from is computed again behind it, for then there
    /// were a path from the entry over that computation that does not take the edge (test
    /// `conditions_hold_of_the_last_iteration`).
    pub fn conditions_at(&self, inst: Inst) -> Vec<Condition> {
        let mut conditions = vec![];
        for &block in &self.func.layout {
            let Terminator::Branch { cond, .. } = self.func.blocks[block].terminator else {
                continue;
            };
            for (index, holds) in [(0, true), (1, false)] {
                let edge = EdgeId { from: block, index };
                if !self.search(None, &Goal::Inst(inst), &|_| false, Some(edge)) {
                    conditions.push(Condition { value: cond, holds });
                }
            }
        }
        conditions
    }

    fn search(
        &self,
        from: Option<Inst>,
        goal: &Goal,
        stops: &dyn Fn(Inst) -> bool,
        left_out: Option<EdgeId>,
    ) -> bool {
        let start = match from {
            None => (self.func.entry(), 0),
            Some(inst) => match self.places.get(&inst) {
                Some(&(block, index)) => (block, index + 1),
                None => return true,
            },
        };
        let (mut work, mut seen) = (vec![start], BTreeSet::from([start]));
        while let Some((block, first)) = work.pop() {
            let data = &self.func.blocks[block];
            let mut is_stopped = false;
            for &inst in &data.insts[first..] {
                if matches!(goal, Goal::Inst(to) if *to == inst) {
                    return true;
                }
                if stops(inst) {
                    is_stopped = true;
                    break;
                }
            }
            if is_stopped {
                continue;
            }
            if matches!((goal, &data.terminator), (Goal::Return, Terminator::Return(_))) {
                return true;
            }
            for (index, to) in self.func.successors(block).enumerate() {
                let edge = EdgeId { from: block, index };
                let is_open = left_out != Some(edge) && !self.never_taken.contains(&edge);
                if is_open && seen.insert((to, 0)) {
                    work.push((to, 0));
                }
            }
        }
        false
    }
}
