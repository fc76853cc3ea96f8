//! How a thread got to the place of a defect: the lines of the branches that it
//! took and how often it went round the loops it is in, in short.

use std::collections::BTreeMap;

use duet_analysis::{Dominators, Loops};
use duet_interp::{FindingKind, Observer, Race, Site, ThreadPos, Visit};
use duet_ir::{Array, Block, Function, Inst, InstData, Terminator};
use duet_vc::Position;

use crate::Subject;
use crate::evidence::{Defect, thread_of};
use crate::run::Run;

/// Instructions of the run that is watched.
const STEPS: u64 = 20_000_000;

/// The way of one thread.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Path {
    /// Branches in the order in which they were last taken: line, and whether the
    /// condition was true.
    pub branches: Vec<(u32, bool)>,
    /// Loops around the place, outermost first: line, and the number of the
    /// iteration, counted from 1.
    pub iterations: Vec<(u32, u64)>,
    /// The line of the last barrier before the place.
    pub since: Option<u32>,
    /// The line of a barrier that comes next after the place, in the order of the code.
    pub until: Option<u32>,
}

/// The ways of the threads of a defect.
pub(crate) fn paths(subject: &Subject<'_>, run: &Run, defect: &Defect) -> Vec<Path> {
    let goals_of = goals(defect);
    let none = vec![None; goals_of.len()];
    let mut watch = Watch {
        subject,
        goals: goals_of,
        tracks: BTreeMap::new(),
        done: none.clone(),
        latest: none,
        is_seen: false,
    };
    let _ = run.watch(subject.module, subject.kernel, STEPS, &mut watch);
    let dominators = Dominators::new(subject.func);
    let loops = Loops::new(subject.func, &dominators);
    let finished = watch.finish();
    finished
        .into_iter()
        .zip(goals(defect))
        .map(|(track, goal)| {
            track.map(|track| track.describe(subject, &loops, goal.inst)).unwrap_or_default()
        })
        .collect()
}

/// A thread on its way to an instruction.
#[derive(Clone, Copy, Debug)]
struct Goal {
    thread: ThreadPos,
    inst: Inst,
    /// The access that counts starts at this byte.
    offset: Option<u64>,
}

fn goals(defect: &Defect) -> Vec<Goal> {
    let inst = |first: bool| match (first, defect.secondary) {
        (false, Some(second)) => second,
        _ => defect.primary,
    };
    match &defect.kind {
        FindingKind::Race(race) | FindingKind::BenignRace(race) => [&race.first, &race.second]
            .map(|side| Goal {
                thread: thread_of(side.actor),
                inst: side.site.inst,
                offset: Some(side.offset),
            })
            .to_vec(),
        FindingKind::ExitBeforeBarrier { .. } | FindingKind::LeftBarrierLoop { .. } => vec![],
        FindingKind::BarrierDivergence { .. }
        | FindingKind::WarpDeadlock { .. }
        | FindingKind::MaskExcludesSelf { .. }
        | FindingKind::PartialExchange { .. }
        | FindingKind::InactiveLane { .. }
        | FindingKind::OutOfBounds { .. }
        | FindingKind::Uninitialised { .. }
        | FindingKind::AssertFailed { .. }
        | FindingKind::InvariantFailed { .. }
        | FindingKind::BarrierInvariantFailed { .. }
        | FindingKind::DivisionByZero { .. }
        | FindingKind::SignedOverflow { .. }
        | FindingKind::ConversionOutOfRange { .. }
        | FindingKind::CopyMismatch { .. } => {
            let threads = defect.threads();
            let goal = |(number, at): (usize, &Position)| Goal {
                thread: ThreadPos { block: at.block, thread: at.thread },
                inst: inst(number == 0),
                offset: None,
            };
            threads.iter().enumerate().map(goal).collect()
        }
    }
}

/// The blocks that a thread came through: how often, and when last.
#[derive(Clone, Default, Debug)]
struct Track {
    visits: BTreeMap<Block, u64>,
    /// The block taken after each block, and the time.
    edges: BTreeMap<Block, (u64, Block)>,
    last: Option<Block>,
    time: u64,
}

impl Track {
    fn enter(&mut self, block: Block) {
        self.time += 1;
        *self.visits.entry(block).or_default() += 1;
        if let Some(last) = self.last {
            self.edges.insert(last, (self.time, block));
        }
        self.last = Some(block);
    }

    fn describe(&self, subject: &Subject<'_>, loops: &Loops, goal: Inst) -> Path {
        let func = subject.func;
        let home = func.block_of(goal);
        let line = |block: Block| {
            let span = subject.module.source_span(func.blocks[block].loc);
            span.map(|span| span.line)
        };
        let mut around: Vec<Block> = home
            .map(|home| loops.around(home).map(|id| loops.data(id).header).collect())
            .unwrap_or_default();
        around.reverse();
        let iterations = around.iter().filter_map(|&header| {
            Some((line(header)?, self.visits.get(&header).copied().unwrap_or(0)))
        });
        let mut taken: Vec<(u64, u32, bool)> = vec![];
        for (&block, &(time, next)) in &self.edges {
            let Terminator::Branch { then, otherwise, .. } = &func.blocks[block].terminator else {
                continue;
            };
            if then.block != otherwise.block
                && let Some(line) = line(block)
            {
                taken.push((time, line, next == then.block));
            }
        }
        taken.sort_unstable();
        let branches = taken.into_iter().map(|(_, line, way)| (line, way)).collect();
        let (since, until) = (self.barrier_before(subject, goal), barrier_after(subject, goal));
        Path { branches, iterations: iterations.collect(), since, until }
    }

    /// The line of the last barrier that was passed before the goal.
    fn barrier_before(&self, subject: &Subject<'_>, goal: Inst) -> Option<u32> {
        let func = subject.func;
        let home = func.block_of(goal)?;
        let own = func.blocks[home].insts.iter().take_while(|&&inst| inst != goal);
        let mut last = own.filter(|&&inst| is_barrier(func, inst)).last().copied();
        if last.is_none() {
            let mut left: Vec<(u64, Block)> =
                self.edges.iter().map(|(&block, &(time, _))| (time, block)).collect();
            left.sort_unstable();
            let barriers = left.iter().rev().flat_map(|(_, block)| {
                func.blocks[*block].insts.iter().rev().filter(|&&inst| is_barrier(func, inst))
            });
            last = barriers.copied().next();
        }
        line_of(subject, last?)
    }
}

/// The line of the nearest barrier after the goal, over any branch.
fn barrier_after(subject: &Subject<'_>, goal: Inst) -> Option<u32> {
    let func = subject.func;
    let home = func.block_of(goal)?;
    let own = func.blocks[home].insts.iter().skip_while(|&&inst| inst != goal);
    let mut found = own.copied().find(|&inst| is_barrier(func, inst));
    let mut seen = vec![home];
    let mut next = 0;
    while found.is_none() && next < seen.len() {
        for block in func.successors(seen[next]) {
            if !seen.contains(&block) {
                seen.push(block);
            }
        }
        next += 1;
        let block = seen.get(next)?;
        found = func.blocks[*block].insts.iter().copied().find(|&inst| is_barrier(func, inst));
    }
    line_of(subject, found?)
}

fn is_barrier(func: &Function, inst: Inst) -> bool {
    matches!(func.insts[inst], InstData::Barrier { .. } | InstData::BarrierReduce { .. })
}

fn line_of(subject: &Subject<'_>, inst: Inst) -> Option<u32> {
    subject.module.source_span(subject.func.inst_locs[inst]).map(|span| span.line)
}

/// Watches the threads of a defect until the run shows it, or each has made its access.
struct Watch<'a> {
    subject: &'a Subject<'a>,
    goals: Vec<Goal>,
    tracks: BTreeMap<ThreadPos, Track>,
    /// The way to the first access that may be the one, or to the one.
    done: Vec<Option<Track>>,
    /// The way to the latest one.
    latest: Vec<Option<Track>>,
    is_seen: bool,
}

impl Watch<'_> {
    /// Each thread's way to its goal, or as far as it got.
    fn finish(self) -> Vec<Option<Track>> {
        let Watch { goals, tracks, done, .. } = self;
        let way = |(goal, done): (&Goal, Option<Track>)| {
            done.or_else(|| tracks.get(&goal.thread).cloned())
        };
        goals.iter().zip(done).map(way).collect()
    }
}

impl Observer for Watch<'_> {
    fn enter_block(&mut self, visit: &Visit<'_>, block: Block) {
        let watched = self.goals.iter().any(|goal| goal.thread == visit.thread);
        if watched && visit.func() == self.subject.kernel {
            self.tracks.entry(visit.thread).or_default().enter(block);
        }
    }

    fn access(&mut self, thread: ThreadPos, site: Site, _: Array, offset: u64, _: u32) {
        if self.is_seen {
            return;
        }
        let places = self.done.iter_mut().zip(&mut self.latest);
        for (goal, (done, latest)) in self.goals.iter().zip(places) {
            let is_it = goal.thread == thread && goal.inst == site.inst;
            if is_it && goal.offset == Some(offset) {
                *latest = self.tracks.get(&thread).cloned();
                if done.is_none() {
                    done.clone_from(latest);
                }
            }
        }
    }

    /// The race of the two latest accesses: in a loop they need not be the first ones.
    fn race(&mut self, race: &Race) {
        let is_side = |goal: &Goal| {
            [&race.first, &race.second].iter().any(|side| {
                (thread_of(side.actor), side.site.inst, Some(side.offset))
                    == (goal.thread, goal.inst, goal.offset)
            })
        };
        if !self.goals.is_empty() && self.goals.iter().all(is_side) && !self.is_seen {
            self.done.clone_from(&self.latest);
            self.is_seen = true;
        }
    }

    fn is_satisfied(&self) -> bool {
        self.is_seen
    }
}
