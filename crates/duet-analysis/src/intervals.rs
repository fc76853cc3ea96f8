//! Intervals: what a thread may do between two barriers of a row.
//!
//! An interval starts at the kernel's entry or at a barrier of the row and covers
//! every path from there that meets no barrier that ends it: over back edges, out
//! of loops, to the next barriers and to the kernel's end. It is computed for a
//! row and a memory space; without a space it is about alignment, and every
//! barrier of the row ends it.
//!
//! Blocks are cut into *pieces* at the barriers that end intervals for every pair
//! ([`Ends::Always`]). An interval is a set of pieces, closed under successors. A
//! barrier that ends it only for some pairs, or whose flags are no literal, cuts
//! nothing, so intervals run through it; it starts an interval all the same, for
//! the pairs that it does align.
//!
//! It is an over-approximation (*may*): paths of the graph, whether or not a run
//! takes them. Paths into `halt` are part of the interval and no end of it.
//!
//! Cost: for each barrier, the size of its interval.

use std::collections::BTreeSet;
use std::fmt;

use duet_ir::{Block, Function, Inst, SecondaryMap, Space, Terminator};

use crate::barriers::{Barriers, Ends};
use crate::{Loop, Loops, Scope};

/// Instructions `from..to` of a block, between barriers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Piece {
    /// The block.
    pub block: Block,
    /// Its first instruction.
    pub from: usize,
    /// After its last instruction.
    pub to: usize,
    /// The barrier that follows; without one, the end of the block does.
    pub barrier: Option<Inst>,
}

/// Where an interval starts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Start {
    /// At the kernel's entry.
    Entry,
    /// After a barrier.
    Barrier(Inst),
}

/// An interval.
#[derive(Clone, Debug)]
pub struct Interval {
    /// Where it starts.
    pub start: Start,
    /// Does the barrier that it starts at align every pair of the row?
    pub for_every_pair: bool,
    /// What it covers, in the order of blocks. The piece it starts with is
    /// [`Interval::first`].
    pub pieces: Vec<Piece>,
    /// The piece at its start.
    pub first: Piece,
    /// The barriers that may end it.
    pub ends: BTreeSet<Inst>,
    /// May it reach the kernel's end?
    pub may_return: bool,
}

impl Interval {
    /// Is the instruction number `index` of the block part of it?
    pub fn contains(&self, block: Block, index: usize) -> bool {
        let here = |piece: &&Piece| piece.block == block && (piece.from..piece.to).contains(&index);
        self.pieces.iter().any(|piece| here(&piece))
    }
}

/// How a loop meets the barriers of a row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LoopBarriers {
    /// No barrier in it ends an interval for every pair.
    None,
    /// There is one, and an iteration may miss it.
    Sometimes,
    /// Every iteration meets one.
    EveryIteration,
}

/// The intervals of a row and space.
#[derive(Clone, Debug)]
pub struct Intervals {
    row: Scope,
    space: Option<Space>,
    intervals: Vec<Interval>,
    pieces: SecondaryMap<Block, Vec<Piece>>,
    loops: Vec<LoopBarriers>,
}

impl Intervals {
    /// Of a well-formed function with its loops and barriers.
    pub fn new(
        func: &Function,
        loops: &Loops,
        barriers: &Barriers,
        row: Scope,
        space: Option<Space>,
    ) -> Intervals {
        let pieces = cut(func, barriers, row, space);
        let mut result = Intervals { row, space, intervals: vec![], pieces, loops: vec![] };
        let entry = result.pieces[func.entry()][0];
        result.add(func, Start::Entry, true, entry);
        for barrier in barriers.of_row(row) {
            let ends = barrier.ends(row, space);
            if ends != Ends::Never {
                let first = result.after(barrier.block, barrier.index);
                result.add(func, Start::Barrier(barrier.inst), ends == Ends::Always, first);
            }
        }
        result.loops = loops.iter().map(|(id, _)| result.meet(func, loops, id)).collect();
        result
    }

    /// Every interval: the entry's first, then those of the barriers in the
    /// order of the layout.
    pub fn iter(&self) -> impl Iterator<Item = &Interval> {
        self.intervals.iter()
    }

    /// The row.
    pub fn row(&self) -> Scope {
        self.row
    }

    /// The memory space; `None` for alignment.
    pub fn space(&self) -> Option<Space> {
        self.space
    }

    /// The interval that starts there.
    pub fn starting_at(&self, start: Start) -> Option<&Interval> {
        self.intervals.iter().find(|interval| interval.start == start)
    }

    /// The barriers that may come next after the point before instruction
    /// `index` of the block (the end of the block, if there is no such
    /// instruction), and whether the kernel's end may.
    pub fn may_come_next(
        &self,
        func: &Function,
        block: Block,
        index: usize,
    ) -> (BTreeSet<Inst>, bool) {
        let here = self.pieces[block].iter().find(|piece| index <= piece.to);
        let first = *here.expect("the last piece goes to the end of the block");
        let (_, ends, may_return) = self.flood(func, first);
        (ends, may_return)
    }

    /// How the loop meets barriers.
    pub fn of_loop(&self, id: Loop) -> LoopBarriers {
        use duet_ir::EntityRef;
        self.loops[id.index()]
    }

    /// The piece that follows a barrier. One that cuts nothing has its own place
    /// in the middle of a piece.
    fn after(&self, block: Block, index: usize) -> Piece {
        let here = self.pieces[block].iter().find(|piece| index < piece.to || piece.from > index);
        let piece = *here.expect("the last piece goes to the end of the block");
        Piece { from: piece.from.max(index + 1), ..piece }
    }

    fn add(&mut self, func: &Function, start: Start, for_every_pair: bool, first: Piece) {
        let (pieces, ends, may_return) = self.flood(func, first);
        let pieces = pieces.into_iter().collect();
        self.intervals.push(Interval { start, for_every_pair, pieces, first, ends, may_return });
    }

    /// Everything that follows the start of a piece without a barrier.
    fn flood(&self, func: &Function, first: Piece) -> (BTreeSet<Piece>, BTreeSet<Inst>, bool) {
        let mut pieces = BTreeSet::new();
        let mut ends = BTreeSet::new();
        let mut may_return = false;
        let mut work = vec![first];
        while let Some(piece) = work.pop() {
            if !pieces.insert(piece) {
                continue;
            }
            match piece.barrier {
                Some(barrier) => {
                    ends.insert(barrier);
                }
                None => {
                    let block = piece.block;
                    may_return |= matches!(func.blocks[block].terminator, Terminator::Return(_));
                    work.extend(func.successors(block).map(|next| self.pieces[next][0]));
                }
            }
        }
        (pieces, ends, may_return)
    }

    /// Follows one iteration of a loop from its header.
    fn meet(&self, func: &Function, loops: &Loops, id: Loop) -> LoopBarriers {
        let data = loops.data(id);
        if data.blocks.iter().all(|&block| self.pieces[block].len() == 1) {
            return LoopBarriers::None;
        }
        let mut seen: SecondaryMap<Block, bool> = SecondaryMap::new();
        let mut work = vec![data.header];
        while let Some(block) = work.pop() {
            if std::mem::replace(&mut seen[block], true) || self.pieces[block].len() > 1 {
                continue;
            }
            for next in func.successors(block).filter(|&next| loops.contains(id, next)) {
                if next == data.header {
                    return LoopBarriers::Sometimes;
                }
                work.push(next);
            }
        }
        LoopBarriers::EveryIteration
    }
}

/// The pieces of every block; the last goes to the end of the block.
fn cut(
    func: &Function,
    barriers: &Barriers,
    row: Scope,
    space: Option<Space>,
) -> SecondaryMap<Block, Vec<Piece>> {
    let mut ends: SecondaryMap<Inst, bool> = SecondaryMap::new();
    for barrier in barriers.iter() {
        ends[barrier.inst] = barrier.ends(row, space) == Ends::Always;
    }
    let mut pieces: SecondaryMap<Block, Vec<Piece>> = SecondaryMap::new();
    for &block in &func.layout {
        let mut from = 0;
        for (index, &inst) in func.blocks[block].insts.iter().enumerate() {
            if ends[inst] {
                pieces[block].push(Piece { block, from, to: index, barrier: Some(inst) });
                from = index + 1;
            }
        }
        let to = func.blocks[block].insts.len();
        pieces[block].push(Piece { block, from, to, barrier: None });
    }
    pieces
}

impl fmt::Display for Intervals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let space = self.space.map_or("alignment", Space::name);
        writeln!(f, "row {}, {space}", self.row)?;
        for interval in &self.intervals {
            writeln!(f, "  {interval}")?;
        }
        for (number, meets) in self.loops.iter().enumerate() {
            let meets = match meets {
                LoopBarriers::None => "no barrier",
                LoopBarriers::Sometimes => "a barrier on some iterations",
                LoopBarriers::EveryIteration => "a barrier on every iteration",
            };
            writeln!(f, "  loop{number}: {meets}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.start {
            Start::Entry => write!(f, "from entry:")?,
            Start::Barrier(inst) => write!(f, "from {inst}:")?,
        }
        f.write_str(if self.for_every_pair { "" } else { " (some pairs)" })?;
        for Piece { block, from, to, .. } in &self.pieces {
            write!(f, " {block}[{from}..{to}]")?;
        }
        f.write_str(" to")?;
        self.ends.iter().try_for_each(|end| write!(f, " {end}"))?;
        f.write_str(if self.may_return { " return" } else { "" })
    }
}
