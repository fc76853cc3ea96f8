//! Runs of small launches, each with what it says: a launch with a defect must be
//! excluded by a precondition, one without shows that the precondition admits
//! something.
//!
//! The launches are drawn by a generator with a fixed seed, and the budget counts
//! instructions, so the result is the same on every run.

use std::collections::BTreeMap;

use duet_interp::Launch;
use duet_ir::{Dim, Function, ScalarParam, Type, Value};
use duet_vc::{Extent, LaunchSpec};

use super::atom::{Atom, Example, Quantity};
use super::vocabulary::Vocabulary;
use crate::refute::{Judgement, Run, Subject};

/// Runs that are made before anything is chosen.
const FIRST_RUNS: usize = 120;
/// Launches that are drawn until one satisfies a precondition.
const DRAWS: usize = 400;
/// Instructions for all runs, and for one.
const BUDGET: u64 = 30_000_000;
const RUN_STEPS: u64 = 150_000;
/// What a run costs beyond its instructions, and each of its threads.
const RUN_COST: u64 = 4_000;
const THREAD_COST: u64 = 60;
/// Threads of a launch.
const MOST_THREADS: u64 = 1024;

/// A launch and what its run says.
pub(super) struct Sample {
    pub(super) example: Example,
    pub(super) run: Run,
}

impl Sample {
    /// Are there two blocks of two threads?
    pub(super) fn has_two_blocks(&self) -> bool {
        self.run.launch.blocks() >= 2 && self.has_two_threads()
    }

    /// Are there two threads in a block?
    pub(super) fn has_two_threads(&self) -> bool {
        self.run.launch.threads_per_block() >= 2
    }
}

/// The runs that were made.
pub(super) struct Samples<'a> {
    subject: &'a Subject<'a>,
    spec: LaunchSpec,
    sizes: Vec<u32>,
    arguments: Vec<Value>,
    state: u64,
    budget: u64,
    /// Launches whose runs have a defect, and models of failed proofs.
    pub(super) bad: Vec<Example>,
    /// Launches whose runs have none.
    pub(super) good: Vec<Sample>,
}

impl<'a> Samples<'a> {
    /// A first set of runs.
    pub(super) fn new(
        subject: &'a Subject<'a>,
        spec: &LaunchSpec,
        vocabulary: &Vocabulary,
    ) -> Samples<'a> {
        let near = |&number: &u32| [number, number + 1, number.max(2) - 1, number * 2];
        let mut sizes = vec![2, 4, 2, 3, 1, 8, 2, 16];
        sizes.extend(vocabulary.numbers.iter().flat_map(near).filter(|size| *size <= 512));
        let mut samples = Samples {
            subject,
            spec: spec.clone(),
            sizes,
            arguments: vocabulary.arguments.clone(),
            state: 1,
            budget: BUDGET,
            bad: vec![],
            good: vec![],
        };
        for _ in 0..FIRST_RUNS {
            if let Some(example) = samples.draw() {
                samples.run(example);
            }
        }
        samples
    }

    /// Runs launches that satisfy a precondition, as many as can be had.
    pub(super) fn run_under(&mut self, atoms: &[Atom], wanted: usize) {
        for _ in 0..wanted {
            let found = (0..DRAWS).find_map(|_| {
                let mut example = self.draw()?;
                settle(atoms, &mut example);
                let holds = !atoms.iter().any(|atom| atom.excludes(&example));
                holds.then_some(example)
            });
            match found {
                Some(example) => self.run(example),
                None => return,
            }
        }
    }

    /// How many good launches satisfy a precondition.
    pub(super) fn count_admitted(&self, atoms: &[Atom]) -> usize {
        let admitted = |sample: &&Sample| !atoms.iter().any(|atom| atom.excludes(&sample.example));
        self.good.iter().filter(admitted).count()
    }

    /// How many of the good launches a statement excludes, out of so many.
    pub(super) fn share_excluded(&self, atom: Atom, of: u32) -> u32 {
        let excluded = self.good.iter().filter(|sample| atom.excludes(&sample.example)).count();
        let all = self.good.len().max(1);
        (excluded * of as usize / all) as u32
    }

    /// A good launch that satisfies a precondition, with several blocks if possible.
    pub(super) fn admitted(&self, atoms: &[Atom]) -> Option<&Sample> {
        let admitted = |sample: &&Sample| {
            !atoms.iter().any(|atom| atom.excludes(&sample.example)) && sample.has_two_threads()
        };
        let several = self.good.iter().filter(admitted).find(|sample| sample.has_two_blocks());
        several.or_else(|| self.good.iter().find(admitted))
    }

    fn run(&mut self, example: Example) {
        let launch = Launch {
            grid: example.grid,
            block: example.block,
            global_offset: self.spec.global_offset,
            work_dim: self.spec.work_dim,
            dynamic_shared: None,
        };
        let cost = RUN_COST + THREAD_COST * launch.threads();
        if launch.threads() > MOST_THREADS || cost > self.budget {
            return;
        }
        let scalars = positions(self.subject.func, &example.arguments);
        let number = self.number(4) as usize;
        let run = self.subject.maker.sample(launch, &scalars, number);
        let (judgement, used) = self.subject.judge(&run, RUN_STEPS.min(self.budget - cost));
        self.budget = self.budget.saturating_sub(cost + used);
        match judgement {
            Judgement::Clean => self.good.push(Sample { example, run }),
            Judgement::Defective => self.bad.push(example),
            Judgement::Nothing => {}
        }
    }

    /// A launch within the limits of a block.
    fn draw(&mut self) -> Option<Example> {
        let (block, grid) = (self.spec.block, self.spec.grid);
        let mut example = Example::default();
        for dim in 0..3 {
            example.block[dim] = self.extent(block[dim], dim, true);
            example.grid[dim] = self.extent(grid[dim], dim, false);
        }
        let threads: u64 = example.block.iter().map(|&size| u64::from(size)).product();
        if threads > self.spec.most_threads.into() && block.contains(&Extent::Free) {
            return None;
        }
        let alike = self.number(4) == 0;
        for value in self.arguments.clone() {
            let Some(width) = self.subject.func.type_of(value).bits() else { continue };
            let bits = if alike {
                Quantity::Threads(Dim::X).value(&example).unwrap_or(1)
            } else {
                self.argument(&example)
            };
            example.arguments.insert(value, (bits, width));
        }
        Some(example)
    }

    fn extent(&mut self, extent: Extent, dim: usize, of_block: bool) -> u32 {
        let few = [2, 1, 3, 4];
        match extent {
            Extent::Number(number) => number,
            Extent::Free if of_block && dim < 2 => {
                let among = if self.number(2) == 0 { 6 } else { self.sizes.len() as u64 };
                let index = self.number(among) as usize;
                self.sizes[index]
            }
            Extent::Free => few[self.number(4) as usize],
        }
    }

    /// A value that an argument may have.
    fn argument(&mut self, example: &Example) -> u128 {
        let known = |quantity: Quantity| quantity.value(example).unwrap_or(1);
        let (x, y) = (Dim::X, Dim::Y);
        match self.number(21) {
            16 | 17 => {
                let index = self.number(self.sizes.len() as u64) as usize;
                let dim = if self.number(3) == 0 { y } else { x };
                known(Quantity::GridTimes(self.sizes[index], dim))
            }
            0..=3 => known(Quantity::Threads(x)),
            4 | 5 => known(Quantity::Threads(y)),
            6 | 7 => known(Quantity::Block(x)),
            8 => known(Quantity::Grid(x)),
            9 => known(Quantity::BlockTimes(2, x)),
            10 => known(Quantity::Threads(x)) + 1,
            11 => known(Quantity::Threads(x)) * 2,
            12 | 18..=20 => self.number(4).into(),
            13 => known(Quantity::Threads(x)) * known(Quantity::Threads(y)),
            _ => {
                let index = self.number(self.sizes.len() as u64) as usize;
                u128::from(self.sizes[index])
            }
        }
    }

    /// The next number below a bound.
    fn number(&mut self, below: u64) -> u64 {
        self.state = self.state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.state >> 33) % below.max(1)
    }
}

/// Gives arguments the values that equalities ask for.
fn settle(atoms: &[Atom], example: &mut Example) {
    for atom in atoms {
        if let Atom::Equal(Quantity::Argument(value), other)
        | Atom::AtLeast(Quantity::Argument(value), other) = atom
            && let (Some(bits), Some(known)) = (other.value(example), example.arguments.get(value))
        {
            let width = known.1;
            if atom.excludes(example) {
                example.arguments.insert(*value, (bits, width));
            }
        }
    }
}

/// Arguments by their positions among all parameters; those that are not drawn are
/// 1.
fn positions(func: &Function, arguments: &BTreeMap<Value, (u128, u32)>) -> Vec<(usize, u128)> {
    let position = |param: ScalarParam<'_>| {
        let one = match param.ty {
            Type::F32 => u128::from(1f32.to_bits()),
            Type::F64 => u128::from(1f64.to_bits()),
            Type::Int(_) | Type::Float(_) | Type::Ref => 1,
        };
        (param.index, arguments.get(&param.value).map_or(one, |(bits, _)| *bits))
    };
    func.scalar_params().map(position).collect()
}
