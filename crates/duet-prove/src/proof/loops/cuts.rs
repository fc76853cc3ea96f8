//! Where a block's threads meet: barriers, and heads of loops that hold barriers.
//!
//! Such a *cut* divides a block's execution into pieces. A loop that holds a barrier is
//! accepted as *aligned* only if
//!
//! * a barrier of its own, in no loop within it, is passed on every way round, and so is each
//!   of its other cuts, so that the cuts of one iteration come in one order; and
//! * it is left only before anything is stored or waited for in the iteration, so that the
//!   visit that leaves it does nothing that others see.
//!
//! **Why it is sound.** The check proved that threads of a block always meet at the same
//! barrier, so by the first condition they have the same count of every aligned loop around
//! a cut, and those that leave an aligned loop leave it at the same visit. The kernel is free
//! of races, so all orders of threads between barriers leave the same memory: also the one in
//! which all threads of the block arrive at the head of an aligned loop before any goes on.
//! So what a block sees at a cut is what it saw at the cut before, with the stores of the
//! piece between them.
//!
//! SOUNDNESS: other loops with barriers are not covered (kernels/prove/traps/32-way-round,
//! 33-leaves-after-a-store).
//!
//! What a thread does in a loop comes before what it does after the loop, though no way leads
//! from the loop's body to there but through its head: [`may_precede`].

use duet_analysis::{Loop, Loops};
use duet_ir::{Block, Space};
use duet_product::KernelFacts;
use duet_smt::TermId;
use duet_vc::{Point, SiteTerm, Walk};

/// A place where the threads of a block meet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Cut {
    /// A barrier, by its number in the walk.
    Barrier(usize),
    /// The head of an aligned loop.
    Header(Loop),
}

/// The end of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Until {
    /// A cut, on arrival there from before; of a loop's head: from outside.
    Arrival(Cut),
    /// The end of an iteration.
    Round(Loop),
    /// The end of the kernel.
    End,
}

/// What the threads of a block do between two cuts, at counts of the aligned loops around.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// The cut before; none at the start of the kernel.
    pub from: Option<Cut>,
    /// The end.
    pub until: Until,
    /// The counts of the aligned loops around.
    pub counts: Vec<(Loop, TermId)>,
}

/// May a thread have been at the first place, when it is at the second, in the same iteration of
/// the loops around both?
///
/// SOUNDNESS: the walk ends at a loop's back edge, so no place of the body is on its way to what
/// comes after the loop; the loop's head is (kernels/prove/traps/58-written-in-a-piece,
/// 59-later-than-a-loop, 60-later-than-an-aligned-loop).
pub fn may_precede(facts: &KernelFacts<'_>, walk: &Walk, first: Point, second: Point) -> bool {
    let nodes = &facts.program.alone.nodes;
    let (own, other) = (nodes[first.node].block, nodes[second.node].block);
    let is_done = |id: Loop| {
        let mut heads = walk.headers.iter().filter(|header| header.id == id);
        !facts.loops.contains(id, other) && heads.any(|head| walk.is_before(head.node, second.node))
    };
    walk.has_passed(first, second) || facts.loops.around(own).any(is_done)
}

/// The cuts of a kernel.
#[derive(Clone, Debug, Default)]
pub struct Cuts {
    /// The aligned loops.
    pub aligned: Vec<Loop>,
    /// Each cut with its place, and the aligned loops around it from the outside.
    all: Vec<(Cut, Point, Vec<Loop>)>,
}

impl Cuts {
    /// The cuts of a walk.
    pub fn new(facts: &KernelFacts<'_>, walk: &Walk) -> Cuts {
        let loops = &facts.loops;
        let barriers: Vec<Block> =
            walk.after_barriers.iter().filter_map(|one| facts.block_of(one.inst)).collect();
        let holds = |id: Loop| barriers.iter().any(|&block| loops.contains(id, block));
        let aligned: Vec<Loop> = loops.iter().map(|one| one.0).filter(|id| holds(*id)).collect();
        let mut cuts = Cuts { aligned, all: vec![] };
        for (number, barrier) in walk.after_barriers.iter().enumerate() {
            let level = facts.block_of(barrier.inst).map(|block| cuts.around(loops, block));
            cuts.all.push((Cut::Barrier(number), barrier.at, level.unwrap_or_default()));
        }
        for header in &walk.headers {
            if cuts.aligned.contains(&header.id) {
                let mut level = cuts.around(loops, loops.data(header.id).header);
                level.retain(|id| *id != header.id);
                let at = Point { node: header.node, moment: 0 };
                cuts.all.push((Cut::Header(header.id), at, level));
            }
        }
        cuts
    }

    /// The aligned loops around a block, from the outside.
    pub fn around(&self, loops: &Loops, block: Block) -> Vec<Loop> {
        let mut all: Vec<Loop> =
            loops.around(block).filter(|id| self.aligned.contains(id)).collect();
        all.sort_by_key(|id| std::cmp::Reverse(loops.data(*id).blocks.len()));
        all
    }

    /// The cuts right inside of an aligned loop, or of none.
    pub fn right_inside(&self, id: Option<Loop>) -> Vec<(Cut, Point)> {
        let own = self.all.iter().filter(|(_, _, level)| level.last().copied() == id);
        own.map(|&(cut, at, _)| (cut, at)).collect()
    }

    /// The place of a cut and the aligned loops around it.
    pub fn place(&self, cut: Cut) -> Option<(Point, &[Loop])> {
        let own = self.all.iter().find(|one| one.0 == cut);
        own.map(|(_, at, level)| (*at, level.as_slice()))
    }

    /// The last of the cuts that come before an end, in the same iteration.
    pub fn before(&self, walk: &Walk, until: Until) -> Option<Cut> {
        let (level, at) = match until {
            Until::Arrival(cut) => {
                let (at, level) = self.place(cut)?;
                (level.last().copied(), Some((cut, at)))
            }
            Until::Round(id) => (Some(id), None),
            Until::End => (None, None),
        };
        let candidates: Vec<(Cut, Point)> = self
            .right_inside(level)
            .into_iter()
            .filter(|(cut, place)| {
                at.is_none_or(|(own, at)| *cut != own && walk.has_passed(*place, at))
            })
            .collect();
        let passed = |place: Point| {
            candidates.iter().filter(|(_, other)| walk.has_passed(*other, place)).count()
        };
        let last = candidates.iter().max_by_key(|(_, place)| passed(*place));
        last.map(|(cut, _)| *cut).or(level.map(Cut::Header))
    }

    /// Is the site one of those between two cuts, in no aligned loop within?
    pub fn is_in(
        &self,
        facts: &KernelFacts<'_>,
        walk: &Walk,
        piece: &Piece,
        site: (&SiteTerm, Block),
    ) -> bool {
        let loops = &facts.loops;
        let (site, block) = site;
        let level = match piece.until {
            Until::Arrival(cut) => match self.place(cut) {
                Some((at, level)) if may_precede(facts, walk, site.at, at) => level.to_vec(),
                _ => return false,
            },
            Until::Round(id) => self.around(loops, loops.data(id).header),
            Until::End => vec![],
        };
        let is_after = match piece.from.and_then(|cut| self.place(cut)) {
            Some((from, _)) => !may_precede(facts, walk, site.at, from),
            None => true,
        };
        is_after && self.around(loops, block) == level
    }

    /// Does a cut lie between two sites of one iteration?
    pub fn divides(
        &self,
        facts: &KernelFacts<'_>,
        walk: &Walk,
        first: &SiteTerm,
        second: &SiteTerm,
    ) -> bool {
        let precedes = |first, second| may_precede(facts, walk, first, second);
        self.all.iter().any(|(_, at, _)| precedes(first.at, *at) && precedes(*at, second.at))
    }

    /// An aligned loop that does something before it is left.
    pub fn left_late(&self, facts: &KernelFacts<'_>, walk: &Walk) -> Option<Loop> {
        self.aligned.iter().copied().find(|&id| {
            let data = facts.loops.data(id);
            let inside = |block: Block| facts.loops.contains(id, block);
            let leaving: Vec<Point> = facts
                .program
                .alone
                .nodes
                .iter()
                .filter(|(_, node)| data.exits.iter().any(|exit| exit.edge.from == node.block))
                .map(|(node, _)| Point { node, moment: u32::MAX })
                .collect();
            let stores = walk.sites.iter().filter(|site| {
                let space = facts.module.arrays[site.array].space;
                site.writes
                    && space != Space::Private
                    && facts.block_of(site.inst).is_some_and(inside)
            });
            let waits = walk.after_barriers.iter();
            let waits = waits.filter(|one| facts.block_of(one.inst).is_some_and(inside));
            let acts: Vec<Point> =
                stores.map(|site| site.at).chain(waits.map(|one| one.at)).collect();
            let precedes = |act, exit| may_precede(facts, walk, act, exit);
            leaving.iter().any(|&exit| acts.iter().any(|&act| precedes(act, exit)))
        })
    }
}
