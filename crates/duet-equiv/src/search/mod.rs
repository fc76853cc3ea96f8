//! Looks for a difference by small runs of both kernels.
//!
//! Launches, arguments and contents are varied within the relation. Unknown values get
//! different seeds on the two sides. A run counts only if it has no defect, and a difference
//! only if each side agrees with itself in another order of threads, with another seed.

mod compare;
mod launches;
mod pinned;
mod shrink;

use std::collections::BTreeMap;

use duet_engine::refute::Run;
use duet_interp::{ArrayInput, Fill, FindingKind, Key, Launch, Outcome, Schedule, Status};
use duet_ir::Type;
use duet_vc::{Extent, LaunchSpec};

use crate::pair::expr::Expr;
use crate::pair::matching::{Matching, initialiser};
use crate::pair::request::{FloatModel, Kernel, Request, Side};

pub use compare::Element;

/// Pairs of runs that count, after which the search ends.
const ENOUGH: usize = 400;
/// Instructions of all runs together.
const MOST_STEPS: u64 = 20_000_000;
/// Runs that are begun.
const MOST_ATTEMPTS: usize = 4000;
/// Sizes that are tried where the relation asks for one.
const MOST_SOLVED: u32 = 64;
/// Instructions of one run.
const RUN_STEPS: u64 = 4_000_000;

/// Two runs that end with different contents.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The runs of A and of B.
    pub runs: [Run; 2],
    /// The first element that differs.
    pub element: Element,
    /// Who wrote it last on each side, in words; nothing if no thread did.
    pub writers: [Option<String>; 2],
}

/// What the search came to.
#[derive(Clone, Debug, Default)]
pub struct Searched {
    /// Runs that differ.
    pub difference: Option<Box<Difference>>,
    /// A side that does not agree with itself.
    pub unstable: Option<Side>,
    /// Pairs of runs without a defect.
    pub pairs: usize,
    /// The first pair of runs in which a compared place was written.
    pub example: Option<Box<[Run; 2]>>,
}

/// Searches.
pub struct Search<'a> {
    /// The kernels.
    pub kernels: &'a [Kernel<'a>; 2],
    /// What belongs together.
    pub matching: &'a Matching,
    /// What is asked.
    pub request: &'a Request,
    /// The launches.
    pub specs: &'a [LaunchSpec; 2],
}

/// Values of scalar parameters of a side, by position.
type Scalars = BTreeMap<usize, u128>;

impl Search<'_> {
    /// Runs both kernels until a difference shows, or enough was tried.
    pub fn search(&self) -> Searched {
        let mut searched = Searched::default();
        let launches = self.launch_pairs();
        let constants: std::collections::BTreeSet<u32> =
            self.kernels.iter().flat_map(|k| launches::constants(k.function())).collect();
        let lists: Vec<Vec<[Scalars; 2]>> =
            launches.iter().map(|pair| self.arguments(pair, &constants)).collect();
        let most = lists.iter().map(Vec::len).max().unwrap_or(0).max(8);
        let (mut attempts, mut steps) = (0, 0u64);
        // Each launch begins with other arguments, so that the first round meets all of them.
        for round in 0..most {
            for (number, (pair, list)) in launches.iter().zip(&lists).enumerate() {
                if round >= list.len().max(8) {
                    continue;
                }
                let Some(scalars) = list.get((round + number) % list.len().max(1)) else {
                    continue;
                };
                attempts += 1;
                if attempts > MOST_ATTEMPTS || steps > MOST_STEPS || searched.pairs >= ENOUGH {
                    return searched;
                }
                let runs = self.runs(pair, scalars, attempts - 1);
                steps += self.try_pair(&runs, &mut searched);
                if searched.difference.is_some() || searched.unstable.is_some() {
                    return searched;
                }
            }
        }
        searched
    }

    fn launch_pairs(&self) -> Vec<[Launch; 2]> {
        let is_tied = self.request.is_same_launch();
        let widths: std::collections::BTreeSet<u32> =
            self.kernels.iter().flat_map(|k| launches::compared_widths(k.function())).collect();
        let a = launches::launches(&self.specs[0], is_tied, &widths);
        if is_tied {
            let both = a.into_iter().map(|launch| [launch.clone(), launch]);
            return both.filter(|pair| self.may_hold(pair)).collect();
        }
        let b = launches::launches(&self.specs[1], is_tied, &widths);
        let mut pairs: Vec<[Launch; 2]> = vec![];
        for x in &a {
            for y in &b {
                let pair = [x.clone(), y.clone()];
                let pair = if self.may_hold(&pair) { Some(pair) } else { self.solved(pair) };
                pairs.extend(pair.filter(|pair| !pairs.contains(pair)));
            }
        }
        pairs.sort_by_key(|[x, y]| x.threads() + y.threads());
        pairs.truncate(160);
        pairs
    }

    /// A pair of launches with free sizes of B changed until the relation holds.
    fn solved(&self, mut pair: [Launch; 2]) -> Option<[Launch; 2]> {
        for conjunct in self.request.given.iter().flat_map(|expr| expr.conjuncts()) {
            let is_settled = |pair: &[Launch; 2]| {
                let of = |name: &str| self.size(pair, name);
                conjunct.value(&of).is_none_or(|holds| holds != 0)
            };
            let free = (0..6).filter(|&at| {
                let name = ["x", "y", "z"][at % 3];
                let (stem, extents) = match at < 3 {
                    true => ("gridDim_b", &self.specs[1].grid),
                    false => ("blockDim_b", &self.specs[1].block),
                };
                extents[at % 3] == Extent::Free
                    && conjunct.names().contains(&format!("{stem}.{name}"))
            });
            for at in free {
                if is_settled(&pair) {
                    break;
                }
                let changed = (1..=MOST_SOLVED).map(|size| {
                    let mut pair = pair.clone();
                    let sizes = if at < 3 { &mut pair[1].grid } else { &mut pair[1].block };
                    sizes[at % 3] = size;
                    pair
                });
                if let Some(found) = changed.into_iter().find(is_settled) {
                    pair = found;
                }
            }
        }
        let fits = self.may_hold(&pair) && launches::is_small(&pair[1], &self.specs[1]);
        fits.then_some(pair)
    }

    /// Do the relations that speak of sizes alone hold?
    fn may_hold(&self, launches: &[Launch; 2]) -> bool {
        let of = |name: &str| self.size(launches, name);
        let conjuncts = self.request.given.iter().flat_map(|expr| expr.conjuncts());
        conjuncts
            .filter(|expr| expr.names().iter().all(|name| of(name).is_some()))
            .all(|expr| expr.holds(&of))
    }

    fn size(&self, launches: &[Launch; 2], name: &str) -> Option<i128> {
        let (stem, dim) = name.split_once('.')?;
        let dim = ["x", "y", "z"].iter().position(|own| *own == dim)?;
        let of = |side: Side| &launches[side.index()];
        let size = match stem {
            "blockDim_a" | "blockDim" => of(Side::A).block[dim],
            "gridDim_a" | "gridDim" => of(Side::A).grid[dim],
            "blockDim_b" => of(Side::B).block[dim],
            "gridDim_b" => of(Side::B).grid[dim],
            _ => return None,
        };
        Some(size.into())
    }

    /// Arguments of both sides for a pair of launches, within the relation.
    fn arguments(
        &self,
        launches: &[Launch; 2],
        constants: &std::collections::BTreeSet<u32>,
    ) -> Vec<[Scalars; 2]> {
        let mut numbers = launches::numbers(&launches[0], constants);
        if launches[0] != launches[1] {
            numbers.extend(launches::numbers(&launches[1], constants));
            numbers.dedup();
        }
        for number in self.stated_numbers(launches) {
            numbers.retain(|other| *other != number);
            numbers.insert(0, number);
        }
        let matching = self.matching;
        let alone = matching.alone[0].len() + matching.alone[1].len();
        let count = matching.scalars.len() + alone;
        if count == 0 {
            return vec![[Scalars::new(), Scalars::new()]];
        }
        let most = if alone > 0 || !self.request.given.is_empty() { 4000 } else { 160 };
        let mut list = vec![];
        let pinned = self.pinned();
        for choice in launches::choices(count, numbers.len(), most) {
            let own = choice.iter().zip(&pinned);
            let chosen: Vec<i64> = own.map(|(&rank, pin)| pin.unwrap_or(numbers[rank])).collect();
            if let Some(scalars) = self.scalars(&chosen)
                && self.holds(launches, &scalars)
            {
                list.push(scalars);
            }
            if list.len() >= 160 {
                break;
            }
        }
        list
    }

    /// Numbers that preconditions fix, of the pairs and then of parameters alone.
    fn pinned(&self) -> Vec<Option<i64>> {
        let own = self.kernels.each_ref().map(|kernel| pinned::pinned(kernel.function()));
        let of_pair = |pair: &crate::pair::matching::ScalarPair| {
            let [a, b] = [0, 1].map(|side| own[side].get(&pair.index[side]).copied());
            a.or(b)
        };
        let pairs = self.matching.scalars.iter().map(of_pair);
        let alone = [0, 1].into_iter().flat_map(|side| {
            let list = self.matching.alone[side].iter();
            list.map(|index| own[side].get(index).copied()).collect::<Vec<_>>()
        });
        pairs.chain(alone).collect()
    }

    /// Numbers that the relation says arguments are equal to, for these launches.
    fn stated_numbers(&self, launches: &[Launch; 2]) -> Vec<i64> {
        let of = |name: &str| self.size(launches, name);
        let conjuncts = self.request.given.iter().flat_map(|expr| expr.conjuncts());
        let sides = conjuncts.flat_map(|expr| match expr {
            Expr::Binary("==" | "<=" | ">=" | "<" | ">", a, b) => vec![a.value(&of), b.value(&of)],
            Expr::Number(_) | Expr::Name(_) | Expr::Unary(..) | Expr::Binary(..) => vec![],
        });
        sides.flatten().filter_map(|number| i64::try_from(number).ok()).collect()
    }

    /// The arguments of both sides for numbers of the pairs, then of those alone.
    fn scalars(&self, numbers: &[i64]) -> Option<[Scalars; 2]> {
        let mut scalars = [Scalars::new(), Scalars::new()];
        let mut numbers = numbers.iter();
        for (pair, &number) in self.matching.scalars.iter().zip(&mut numbers) {
            let widths = pair.ty.map(|ty| ty.bits().unwrap_or(0));
            let wide = if widths[0] >= widths[1] { Side::A } else { Side::B };
            let bits = launches::bits_of(number, pair.ty[wide.index()]);
            let other = pair.bits_on(wide.other(), bits, wide)?;
            scalars[wide.index()].insert(pair.index[wide.index()], bits);
            scalars[wide.other().index()].insert(pair.index[wide.other().index()], other);
        }
        for side in Side::BOTH {
            let func = self.kernels[side.index()].function();
            for &index in &self.matching.alone[side.index()] {
                let param = func.scalar_params().find(|param| param.index == index)?;
                let number = *numbers.next()?;
                scalars[side.index()].insert(index, launches::bits_of(number, param.ty));
            }
        }
        Some(scalars)
    }

    /// Do all relations hold?
    fn holds(&self, launches: &[Launch; 2], scalars: &[Scalars; 2]) -> bool {
        let of = |name: &str| self.size(launches, name).or_else(|| self.scalar(scalars, name));
        self.request.given.iter().all(|expr| expr.holds(&of))
    }

    /// The value of `n`, `n_a` or `n_b`.
    fn scalar(&self, scalars: &[Scalars; 2], name: &str) -> Option<i128> {
        let on = |side: Side, name: &str| {
            let func = self.kernels[side.index()].function();
            let param = func.scalar_params().find(|param| param.name == name)?;
            let bits = *scalars[side.index()].get(&param.index)?;
            Some(value_of(bits, param.ty, param.unsigned))
        };
        let suffixed = |side: Side| {
            let stem = name.strip_suffix(&format!("_{}", side.letter()))?;
            on(side, stem)
        };
        suffixed(Side::A).or_else(|| suffixed(Side::B)).or_else(|| on(Side::A, name))
    }

    fn runs(&self, launches: &[Launch; 2], scalars: &[Scalars; 2], number: usize) -> [Run; 2] {
        let mut runs = [0, 1].map(|side| {
            let mut run = Run::new(launches[side].clone());
            run.seed = 1 + side as u64;
            for (&index, &bits) in &scalars[side] {
                run.inputs.scalars.insert(Key::Index(index), bits);
            }
            run
        });
        for (which, pair) in self.matching.arrays.iter().enumerate() {
            let input =
                launches::contents(self.kernels, (which, *pair), number, self.request.float);
            for side in [0, 1] {
                let key = launches::key(&self.kernels[side], pair[side]);
                let own = self.table(side, pair).unwrap_or_else(|| input.clone());
                runs[side].inputs.arrays.insert(key, own);
            }
        }
        runs
    }

    /// The contents of a table that its initialisers decide: what nobody else writes, and what
    /// both sides initialise, but differently. Where only one does, the host fills the other.
    fn table(&self, side: usize, pair: &[duet_ir::Array; 2]) -> Option<ArrayInput> {
        let data = [0, 1].map(|side| &self.kernels[side].module.arrays[pair[side]]);
        let [own, other] = [side, 1 - side].map(|side| initialiser(data[side]));
        let is_fixed = data.iter().any(|one| one.init.is_some());
        let differs = self.matching.tables.contains(pair) && own.is_some() && other.is_some();
        if !is_fixed && !differs {
            return None;
        }
        let bytes = own.or(other).filter(|bytes| !bytes.is_empty())?;
        Some(match data[side].init.is_some() {
            true => ArrayInput::default(),
            false => ArrayInput { fill: Fill::Bytes(bytes.clone()), bytes: None },
        })
    }

    /// Runs both; the instructions that it took.
    fn try_pair(&self, runs: &[Run; 2], searched: &mut Searched) -> u64 {
        let mut outcomes = vec![];
        let mut steps = 0;
        for side in Side::BOTH {
            let Some(outcome) = self.perform(side, &runs[side.index()]) else { return steps };
            steps += outcome.instructions + 200;
            if !is_clean(&outcome) {
                return steps;
            }
            outcomes.push(outcome);
        }
        searched.pairs += 1;
        let view = compare::View { search: self, runs, outcomes: [&outcomes[0], &outcomes[1]] };
        if searched.example.is_none() && view.writes_something() {
            searched.example = Some(Box::new(runs.clone()));
        }
        let Some(element) = view.first_difference() else { return steps };
        for side in Side::BOTH {
            if !self.agrees_with_itself(side, &runs[side.index()], &outcomes[side.index()]) {
                searched.unstable = Some(side);
                return steps;
            }
        }
        if self.counts() {
            let found = Difference { runs: runs.clone(), element, writers: [None, None] };
            searched.difference = Some(Box::new(self.shrink(found)));
        }
        steps
    }

    /// Does a difference count? Under laws that floats do not obey, only if every operation
    /// was exact: sums and products of small whole numbers are.
    fn counts(&self) -> bool {
        let is_exact = |func: &duet_ir::Function| {
            func.insts_in_order().all(|inst| match &func.insts[inst] {
                duet_ir::InstData::Binary { op, .. } => {
                    !matches!(op, duet_ir::BinaryOp::FDiv | duet_ir::BinaryOp::FRem)
                }
                duet_ir::InstData::Pure { ty, .. } => !matches!(ty, Type::Float(_)),
                _ => true,
            })
        };
        // A run that makes up what a function yields, or that skips an assumption, may be one
        // that never happens.
        let is_real = |kernel: &Kernel<'_>| {
            !duet_interp::makes_up_results(kernel.module, kernel.func)
                && !duet_interp::skips_assumptions(kernel.module, kernel.func)
        };
        if !self.kernels.iter().all(is_real) {
            return false;
        }
        self.request.float == FloatModel::Exact
            || self.kernels.iter().all(|kernel| is_exact(kernel.function()))
    }

    fn perform(&self, side: Side, run: &Run) -> Option<Outcome> {
        let kernel = &self.kernels[side.index()];
        run.perform(kernel.module, kernel.func, RUN_STEPS).ok()
    }

    fn agrees_with_itself(&self, side: Side, run: &Run, outcome: &Outcome) -> bool {
        let others = [(Schedule::Reversed, 77), (Schedule::Seeded(5), 78)];
        others.into_iter().all(|(schedule, seed)| {
            let other = Run { schedule, seed, ..run.clone() };
            let Some(again) = self.perform(side, &other) else { return false };
            let mut arrays = self.matching.outputs.iter().map(|pair| pair[side.index()]);
            is_clean(&again) && arrays.all(|array| same(outcome, &again, array))
        })
    }
}

fn same(a: &Outcome, b: &Outcome, array: duet_ir::Array) -> bool {
    a.arrays.get(&array) == b.arrays.get(&array)
}

/// Did the run finish without a defect?
fn is_clean(outcome: &Outcome) -> bool {
    let tolerated = |kind: &FindingKind| {
        matches!(
            kind,
            FindingKind::BenignRace(_)
                | FindingKind::PartialExchange { .. }
                | FindingKind::ExitBeforeBarrier { .. }
        )
    };
    outcome.status == Status::Finished
        && outcome.findings.iter().all(|finding| tolerated(&finding.kind))
}

/// The value of bits of a type.
fn value_of(bits: u128, ty: Type, unsigned: bool) -> i128 {
    let width = ty.bits().unwrap_or(128).clamp(1, 128);
    let shift = 128 - width;
    match ty {
        Type::F32 => f32::from_bits(bits as u32) as i128,
        Type::F64 => f64::from_bits(bits as u64) as i128,
        _ if unsigned => (bits & (u128::MAX >> shift)) as i128,
        Type::Int(_) | Type::Float(_) | Type::Ref => ((bits << shift) as i128) >> shift,
    }
}
