//! Makes a difference small, and says who wrote the element that differs.

use duet_engine::refute::Run;
use duet_interp::{Fill, Key, Observer, Site, ThreadPos};
use duet_ir::{Array, Type};

use super::compare::Element;
use super::{Difference, Scalars, Search, compare};
use crate::pair::matching::element_type;
use crate::pair::request::Side;

/// Runs that are tried while a difference is made smaller.
const MOST_TRIALS: u32 = 60;

/// Who last wrote bytes of an array.
struct LastWriter {
    array: Array,
    first: u64,
    bytes: u64,
    writes: Vec<duet_ir::Inst>,
    last: Option<(ThreadPos, Site)>,
}

impl Observer for LastWriter {
    fn access(&mut self, thread: ThreadPos, site: Site, array: Array, offset: u64, len: u32) {
        let overlaps =
            offset < self.first + self.bytes && self.first < offset.saturating_add(len.into());
        if array == self.array && overlaps && self.writes.contains(&site.inst) {
            self.last = Some((thread, site));
        }
    }
}

impl Search<'_> {
    /// The difference with a smaller launch, smaller arguments and simpler contents, as far
    /// as that shows one too.
    pub(super) fn shrink(&self, difference: Difference) -> Difference {
        let (mut best, mut trials) = (difference, 0);
        loop {
            let smaller = self.smaller(&best.runs).into_iter().find_map(|runs| {
                trials += 1;
                if trials > MOST_TRIALS || !self.is_allowed(&runs) {
                    return None;
                }
                self.differ(&runs)
            });
            match smaller {
                Some(smaller) => best = smaller,
                None => break,
            }
        }
        best.writers = Side::BOTH.map(|side| self.writer(side, &best));
        best
    }

    /// Do both runs end cleanly, each as it does in other orders, and differ?
    fn differ(&self, runs: &[Run; 2]) -> Option<Difference> {
        let mut outcomes = vec![];
        for side in Side::BOTH {
            let outcome = self.perform(side, &runs[side.index()])?;
            let is_clean = super::is_clean(&outcome);
            (is_clean && self.agrees_with_itself(side, &runs[side.index()], &outcome))
                .then_some(())?;
            outcomes.push(outcome);
        }
        let view = compare::View { search: self, runs, outcomes: [&outcomes[0], &outcomes[1]] };
        let element = view.first_difference()?;
        Some(Difference { runs: runs.clone(), element, writers: [None, None] })
    }

    /// Does the relation allow the launches and arguments?
    fn is_allowed(&self, runs: &[Run; 2]) -> bool {
        let launches = [runs[0].launch.clone(), runs[1].launch.clone()];
        let scalars = [0, 1].map(|side: usize| {
            let known = runs[side].inputs.scalars.iter().filter_map(|(key, bits)| match key {
                Key::Index(index) => Some((*index, *bits)),
                Key::Name(_) => None,
            });
            known.collect::<Scalars>()
        });
        let fits = |side: usize| {
            let (spec, launch) = (&self.specs[side], &launches[side]);
            (0..3).all(|dim| {
                super::launches::admits(spec.block[dim], launch.block[dim])
                    && super::launches::admits(spec.grid[dim], launch.grid[dim])
            })
        };
        fits(0) && fits(1) && self.may_hold(&launches) && self.holds(&launches, &scalars)
    }

    /// Runs that are smaller in one respect.
    fn smaller(&self, runs: &[Run; 2]) -> Vec<[Run; 2]> {
        let mut list: Vec<[Run; 2]> = vec![];
        let sides: Vec<Vec<usize>> = match self.request.is_same_launch() {
            true => vec![vec![0, 1]],
            false => vec![vec![0], vec![1]],
        };
        for side in &sides {
            for dim in 0..3 {
                let (grid, block) =
                    (runs[side[0]].launch.grid[dim], runs[side[0]].launch.block[dim]);
                let mut add = |is_grid: bool, size: u32| {
                    let mut one = runs.clone();
                    for &side in side {
                        let launch = &mut one[side].launch;
                        let sizes = if is_grid { &mut launch.grid } else { &mut launch.block };
                        sizes[dim] = size;
                    }
                    list.push(one);
                };
                for (is_grid, size) in [(true, grid), (false, block)] {
                    [1, size / 2, size.saturating_sub(1)]
                        .into_iter()
                        .filter(|smaller| (1..size).contains(smaller))
                        .for_each(|smaller| add(is_grid, smaller));
                }
            }
        }
        for pair in &self.matching.scalars {
            let Type::Int(width) = pair.ty[0] else { continue };
            if pair.ty[0] != pair.ty[1] {
                continue;
            }
            let Some(&bits) = runs[0].inputs.scalars.get(&Key::Index(pair.index[0])) else {
                continue;
            };
            let is_negative = bits >> (width - 1) & 1 == 1;
            for value in [0, 1, bits / 2, bits.saturating_sub(1)] {
                if value < bits && !is_negative {
                    let mut one = runs.clone();
                    for side in [0, 1] {
                        one[side].inputs.scalars.insert(Key::Index(pair.index[side]), value);
                    }
                    list.push(one);
                }
            }
        }
        for pair in &self.matching.arrays {
            for fill in [Fill::Zero, Fill::Iota] {
                let keys = [0, 1].map(|side| super::launches::key(&self.kernels[side], pair[side]));
                // As the bits of floats, small integers are hard to read.
                let ty = element_type(self.kernels[0].function(), pair[0]);
                if fill == Fill::Iota && matches!(ty, Some(Type::Float(_))) {
                    continue;
                }
                let is_simpler = |own: &Fill| {
                    !matches!((own, &fill), (Fill::Zero, _) | (Fill::Iota, Fill::Iota))
                };
                let now = runs[0].inputs.arrays.get(&keys[0]);
                if now.is_some_and(|input| is_simpler(&input.fill) && input.bytes.is_none()) {
                    let mut one = runs.clone();
                    for side in [0, 1] {
                        if let Some(input) = one[side].inputs.arrays.get_mut(&keys[side]) {
                            input.fill = fill.clone();
                        }
                    }
                    list.push(one);
                }
            }
        }
        list
    }

    /// Who wrote the element that differs, in words.
    fn writer(&self, side: Side, difference: &Difference) -> Option<String> {
        let Element { array, index, bytes, .. } = &difference.element;
        let kernel = &self.kernels[side.index()];
        let first = &self.kernels[0];
        let is_named = |pair: &&[Array; 2]| {
            first.function().array_name(first.module, pair[0]) == array.as_str()
        };
        let pair = self.matching.outputs.iter().find(is_named)?;
        let func = kernel.function();
        let writes = func
            .insts_in_order()
            .filter(|&inst| func.insts[inst].accesses().iter().any(|(mode, _)| mode.may_write()));
        let mut watching = LastWriter {
            array: pair[side.index()],
            first: index * u64::from(*bytes),
            bytes: u64::from(*bytes),
            writes: writes.collect(),
            last: None,
        };
        let run = &difference.runs[side.index()];
        run.watch(kernel.module, kernel.func, super::RUN_STEPS, &mut watching).ok()?;
        let (thread, site) = watching.last?;
        let span = kernel.module.span_of_inst(func, site.inst);
        let line = span.map_or(String::new(), |span| format!(", line {}", span.line));
        let ids = |ids: [u32; 3]| format!("({}, {}, {})", ids[0], ids[1], ids[2]);
        Some(format!("thread {} of block {}{line}", ids(thread.thread), ids(thread.block)))
    }
}
