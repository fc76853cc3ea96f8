//! Makes a run smaller while it still shows all that it showed: fewer threads,
//! smaller arguments, fewer array cells that are not zero. Greedy, in a fixed order,
//! within a budget of instructions, so the result is the same every time.

use std::collections::{BTreeMap, BTreeSet};

use duet_ask::{Runs, Steps};
use duet_interp::{Fill, Key, Observer, Schedule, Site, Status, ThreadPos};
use duet_ir::Array;
use duet_vc::{Extent, Position};

use crate::Subject;
use crate::evidence::Defect;
use crate::inputs::bits_of;
use crate::run::{Run, array_key, input_arrays};
use crate::search::{Shown, perform};

/// Cells of an array that are listed one by one.
const MOST_CELLS: usize = 4096;

/// The smallest run that was found, with what it shows.
pub(crate) fn shrink(subject: &Subject<'_>, shown: Shown) -> Shown {
    let budget = Steps::new(Runs::Shrink, subject.fence);
    let mut shrink = Shrink { subject, best: shown, budget };
    shrink.all_blocks();
    shrink.two_threads();
    shrink.plain_order();
    shrink.launch();
    shrink.arguments();
    shrink.arrays();
    shrink.best
}

struct Shrink<'a> {
    subject: &'a Subject<'a>,
    best: Shown,
    budget: Steps,
}

impl Shrink<'_> {
    /// Takes the run if it is no larger and shows as much.
    fn take(&mut self, run: Run) -> bool {
        if run == self.best.run || run.weight() > self.best.run.weight() {
            return false;
        }
        self.take_any(run)
    }

    /// Takes the run if it shows as much.
    fn take_any(&mut self, run: Run) -> bool {
        if self.budget.is_spent() {
            return false;
        }
        let most = Runs::Shrink.of_one();
        let Some(outcome) = perform(self.subject, &run, most, &mut self.budget) else {
            return false;
        };
        let defects = self.subject.defects(&outcome);
        let same = |old: &Defect| {
            let place = |new: &&Defect| is_same(old, new);
            defects.iter().find(place).cloned()
        };
        let suspicions: Option<Vec<(usize, Defect)>> =
            self.best.suspicions.iter().map(|(n, old)| same(old).map(|new| (*n, new))).collect();
        let further: Option<Vec<Defect>> = self.best.further.iter().map(same).collect();
        match (suspicions, further) {
            (Some(suspicions), Some(further)) => {
                let mut run = run;
                if !matches!(outcome.status, Status::DidNotFinish(_)) {
                    run.cut_after = None;
                }
                self.best = Shown { run, suspicions, further };
                true
            }
            _ => false,
        }
    }

    /// The whole grid, if that is affordable: then nothing has to be explained.
    fn all_blocks(&mut self) {
        if self.best.run.only_blocks.is_some() && self.best.run.launch.threads() <= 1 << 14 {
            let (only_blocks, only_threads) = (None, None);
            let run = Run { only_blocks, only_threads, ..self.best.run.clone() };
            self.take_any(run);
        }
    }

    /// Of a run of some threads, those of the defect.
    fn two_threads(&mut self) {
        let per_block = self.best.run.launch.threads_per_block() as u32;
        let shown = self.best.suspicions.iter().map(|(_, defect)| defect);
        let Some(defect) = shown.chain(&self.best.further).next() else { return };
        if self.best.run.only_threads.is_none() {
            return;
        }
        let launch = &self.best.run.launch;
        let flat = |id: [u32; 3], size: [u32; 3]| id[0] + size[0] * (id[1] + size[1] * id[2]);
        let of = |one: &Position| (flat(one.block, launch.grid), flat(one.thread, launch.block));
        let mut both: Vec<(u32, u32)> = defect.threads().iter().map(of).collect();
        both.sort_unstable();
        let threads = both.iter().map(|(block, thread)| block * per_block + thread).collect();
        let mut blocks: Vec<u32> = both.iter().map(|(block, _)| *block).collect();
        blocks.dedup();
        let (only_blocks, only_threads) = (Some(blocks), Some(threads));
        let run = Run { only_blocks, only_threads, ..self.best.run.clone() };
        self.take_any(run);
    }

    fn plain_order(&mut self) {
        for schedule in [Schedule::InOrder, Schedule::Reversed] {
            let run = Run { schedule, ..self.best.run.clone() };
            if self.best.run.schedule == schedule || self.take(run) {
                break;
            }
        }
        let run = Run { unknown_below: None, ..self.best.run.clone() };
        self.take(run);
    }

    /// Smaller sizes, where they are free.
    fn launch(&mut self) {
        let spec = self.subject.setting().launch.clone();
        for _ in 0..2 {
            for dim in [2, 1, 0] {
                if spec.grid[dim] == Extent::Free {
                    self.smaller_size(|run| &mut run.launch.grid[dim]);
                }
                if spec.block[dim] == Extent::Free {
                    self.smaller_size(|run| &mut run.launch.block[dim]);
                }
            }
        }
    }

    fn smaller_size(&mut self, size: impl Fn(&mut Run) -> &mut u32) {
        let now = *size(&mut self.best.run);
        for smaller in (1..now).take(4).chain([8, 16, 32, 33, 64, 128, now / 2, now - 1]) {
            let mut run = self.best.run.clone();
            *size(&mut run) = smaller;
            let fits = (1..now).contains(&smaller) && self.subject.maker.is_possible(&run.launch);
            if fits && self.take(run) {
                return;
            }
        }
    }

    fn arguments(&mut self) {
        for param in self.subject.func.scalar_params() {
            if self.subject.maker.given(&param).is_some() {
                continue;
            }
            let key = Key::Index(param.index);
            let now = self.best.run.inputs.scalars.get(&key).copied().unwrap_or(0);
            // Of numbers that are not negative the smaller one has the smaller bits.
            let plain = (0..5).chain([8, 16, 32, 64, 128]).map(|number| bits_of(number, param.ty));
            let near = match param.ty.is_float() {
                true => vec![],
                false => vec![now / 2, now.saturating_sub(1)],
            };
            for smaller in plain.chain(near) {
                let mut run = self.best.run.clone();
                run.inputs.scalars.insert(key.clone(), smaller);
                if smaller < now && self.take(run) {
                    break;
                }
            }
        }
    }

    /// Zeros, or as few other cells as show it.
    fn arrays(&mut self) {
        for array in input_arrays(self.subject.module, self.subject.func) {
            let key = array_key(self.subject.module, array);
            if self.fill_with(&key, Fill::Zero) {
                continue;
            }
            let cells = self.cells(array, &key);
            if cells.len() <= MOST_CELLS && self.fill_with(&key, Fill::Cells(cells)) {
                self.fewer_cells(&key);
                self.smaller_cells(array, &key);
            }
        }
    }

    fn fill_with(&mut self, key: &Key, fill: Fill) -> bool {
        let mut run = self.best.run.clone();
        let Some(input) = run.inputs.arrays.get_mut(key) else { return false };
        input.fill = fill;
        self.take(run)
    }

    fn listed(&self, key: &Key) -> BTreeMap<u64, u128> {
        match self.best.run.inputs.arrays.get(key).map(|input| &input.fill) {
            Some(Fill::Cells(cells)) => cells.clone(),
            _ => BTreeMap::new(),
        }
    }

    /// The cells that the run touches, with what they hold first.
    fn cells(&mut self, array: Array, key: &Key) -> BTreeMap<u64, u128> {
        let mut touched = Touched { array, granule: self.granule(array), cells: BTreeSet::new() };
        let Some(input) = self.best.run.inputs.arrays.get(key) else { return BTreeMap::new() };
        let fill = input.fill.clone();
        let subject = self.subject;
        let most = Runs::Shrink.of_one();
        let outcome = self.best.run.watch(subject.module, subject.kernel, most, &mut touched);
        if outcome.is_err() {
            return BTreeMap::new();
        }
        let element = |&index: &u64| {
            let bits = duet_interp::initial_element(&fill, touched.granule as u32, index);
            (index, bits)
        };
        touched.cells.iter().map(element).filter(|(_, bits)| *bits != 0).collect()
    }

    fn granule(&self, array: Array) -> u64 {
        u64::from(self.subject.module.arrays[array].granule.max(1))
    }

    /// Sets runs of cells to zero: halves first, then smaller parts.
    fn fewer_cells(&mut self, key: &Key) {
        let mut part = self.listed(key).len().div_ceil(2);
        while part > 0 && !self.budget.is_spent() {
            let cells: Vec<(u64, u128)> = self.listed(key).into_iter().collect();
            for chunk in cells.chunks(part) {
                let mut fewer = self.listed(key);
                fewer.retain(|index, _| !chunk.iter().any(|(other, _)| other == index));
                self.fill_with(key, Fill::Cells(fewer));
            }
            part /= 2;
        }
    }

    fn smaller_cells(&mut self, array: Array, key: &Key) {
        let ty = self.subject.maker.element_type(array);
        let width = 8 * self.granule(array).clamp(1, 8) as u32;
        for (index, bits) in self.listed(key) {
            let natural = (1..5).chain([8, 16]).map(|number| bits_of(number, ty));
            let natural: Vec<u128> = natural.filter(|&smaller| smaller < bits).collect();
            // What is large may be meant to be negative.
            let is_negative = bits >> (width - 1) & 1 == 1 && !ty.is_float();
            let ones = u128::MAX >> (128 - width);
            let negative =
                (0..4).map(|number| ones - number).filter(|&one| is_negative && one > bits);
            for smaller in natural.into_iter().chain(negative) {
                let mut cells = self.listed(key);
                cells.insert(index, smaller);
                if self.budget.is_spent() || self.fill_with(key, Fill::Cells(cells)) {
                    break;
                }
            }
        }
    }
}

/// The same defect, perhaps of other threads.
fn is_same(old: &Defect, new: &Defect) -> bool {
    let pair = |one: &Defect| {
        let other = one.secondary.unwrap_or(one.primary);
        (one.primary.min(other), one.primary.max(other))
    };
    old.rule == new.rule && pair(old) == pair(new)
}

/// Notes which elements of an array a run touches.
struct Touched {
    array: Array,
    granule: u64,
    cells: BTreeSet<u64>,
}

impl Observer for Touched {
    fn access(&mut self, _: ThreadPos, _: Site, array: Array, offset: u64, len: u32) {
        if array == self.array && self.cells.len() <= MOST_CELLS {
            let last = offset.saturating_add(u64::from(len).saturating_sub(1)) / self.granule;
            self.cells.extend((offset / self.granule..=last).take(64));
        }
    }
}
