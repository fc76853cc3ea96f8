//! Runs both kernels of a pair, with launches, arguments and contents that its relation
//! allows, and compares what they leave. Shares nothing with the search of `duet equiv`
//! but the reader of relations.

use std::collections::BTreeMap;

use duet_equiv::pair::expr::Expr;
use duet_equiv::pair::matching::written_arrays;
use duet_interp::{
    ArrayInput, Contents, Fill, FindingKind, Inputs, Key, Launch, Limits, Outcome, RunOptions,
    Schedule, Small, SmallKind, Status, run,
};
use duet_ir::{Array, FloatType, Func, Module, ParamKind, Type};

use crate::random::Random;

/// What is run.
pub struct Judged<'a> {
    /// Module and kernel of A and B.
    pub kernels: [(&'a Module, Func); 2],
    /// The size of a block.
    pub block: Option<[u32; 3]>,
    /// Do the kernels read ids along y?
    pub is_flat: bool,
    /// The relation of the launches; nothing: the same launch.
    pub relation: Option<Expr>,
    /// Only small whole numbers, of which float operations are exact.
    pub whole: bool,
    /// May numbers be large?
    pub large: bool,
}

/// Bytes of an array.
const BYTES: u64 = 1 << 14;
const LIMITS: Limits = Limits {
    steps: 600_000,
    thread_steps: 20_000,
    memory: 64 << 20,
    call_depth: 4,
    conflicts: u64::MAX,
};

/// What runs came to.
#[derive(Clone, Debug, Default)]
pub struct Judgement {
    /// Pairs of runs without a defect.
    pub counted: usize,
    /// The first pair that differs, in words.
    pub difference: Option<String>,
}

impl Judged<'_> {
    /// Runs both so many times, or until they differ.
    pub fn judge(&self, random: &mut Random, runs: usize) -> Judgement {
        let mut judgement = Judgement::default();
        for _ in 0..runs {
            let launches = self.launches(random);
            let scalars = self.scalars(random, &launches);
            let contents = self.contents(random);
            if !self.is_allowed(&launches, &scalars) {
                continue;
            }
            let once = |side: usize, schedule: Schedule, seed: u64| {
                self.perform(side, &launches[side], (&scalars, &contents), schedule, seed)
            };
            let (Some(a), Some(b)) = (once(0, Schedule::InOrder, 1), once(1, Schedule::InOrder, 2))
            else {
                continue;
            };
            judgement.counted += 1;
            if self.same((0, &a), (1, &b)) {
                continue;
            }
            // A kernel that differs from itself has a defect of its own.
            let agrees = |side: usize, first: &Outcome| {
                let again = once(side, Schedule::Reversed, 7 + side as u64);
                again.is_some_and(|again| self.same((side, first), (side, &again)))
            };
            if agrees(0, &a) && agrees(1, &b) {
                judgement.difference = Some(format!(
                    "launches {launches:?}\nscalars {scalars:?}\ncontents {contents:?}"
                ));
                return judgement;
            }
        }
        judgement
    }

    fn launches(&self, random: &mut Random) -> [Launch; 2] {
        let one = |random: &mut Random| {
            let x = random.pick(&[1, 2, 3, 4, 5, 7, 8, 16, 33]);
            let y = if self.is_flat { random.pick(&[1, 2, 3, 4]) } else { 1 };
            let block = self.block.unwrap_or([if self.is_flat { x.min(8) } else { x }, y, 1]);
            let across = if self.is_flat { random.pick(&[1, 2, 3]) } else { 1 };
            Launch::new([random.pick(&[1, 2, 3, 5]), across, 1], block)
        };
        let first = one(random);
        match self.relation {
            Some(_) => [first, one(random)],
            None => [first.clone(), first],
        }
    }

    /// Values of scalar parameters, which both kernels have by the same names.
    fn scalars(&self, random: &mut Random, launches: &[Launch; 2]) -> BTreeMap<String, i64> {
        let threads = i64::from(launches[0].grid[0] * launches[0].block[0]);
        let (module, func) = self.kernels[0];
        let params = module.functions[func].scalar_params();
        let value = |random: &mut Random| {
            let block = i64::from(launches[0].block[0]);
            let near = [threads, threads - 1, threads + 1, 2 * threads + 1, block, threads / 2];
            match random.below(9) {
                0..4 => random.pick(&near),
                8 if self.large => random.pick(&[-1, -7, i64::from(i32::MAX), 300, 70_000]),
                _ => random.pick(&[0, 1, 2, 3, 4, 5, 8, 12, 16]),
            }
        };
        params.map(|param| (param.name.to_string(), value(random))).collect()
    }

    fn contents(&self, random: &mut Random) -> BTreeMap<String, Fill> {
        let (module, func) = self.kernels[0];
        let function = &module.functions[func];
        let mut contents = BTreeMap::new();
        for param in &function.params {
            let ParamKind::Array(array) = param.kind else { continue };
            let ty = duet_equiv::pair::matching::element_type(function, array);
            contents.insert(param.name.clone(), self.fill(random, ty));
        }
        contents
    }

    fn fill(&self, random: &mut Random, ty: Option<Type>) -> Fill {
        let seed = random.bits() >> 40;
        let is_float = matches!(ty, Some(Type::Float(_)));
        let kind = match (is_float, random.percent(50)) {
            (true, _) => SmallKind::Float,
            (false, true) => SmallKind::Natural,
            (false, false) => SmallKind::Signed,
        };
        let below = random.pick(&[2, 5, 16, 100]);
        match random.below(6) {
            0 if !self.whole => Fill::Random(seed),
            1 if !self.whole => cells(random, ty),
            2 if !is_float => Fill::Iota,
            _ => Fill::Small(Small { seed, below, kind }),
        }
    }

    fn is_allowed(&self, launches: &[Launch; 2], scalars: &BTreeMap<String, i64>) -> bool {
        let Some(relation) = &self.relation else { return true };
        relation.holds(&|name: &str| {
            if let Some(value) = scalars.get(name) {
                return Some(i128::from(*value));
            }
            let (stem, dim) = name.split_once('.')?;
            let dim = ["x", "y", "z"].iter().position(|own| *own == dim)?;
            let (stem, launch) = match stem.strip_suffix("_b") {
                Some(stem) => (stem, &launches[1]),
                None => (stem.strip_suffix("_a").unwrap_or(stem), &launches[0]),
            };
            let sizes = if stem == "blockDim" { launch.block } else { launch.grid };
            Some(i128::from(sizes[dim]))
        })
    }

    /// What a run leaves; nothing if it has a defect.
    fn perform(
        &self,
        side: usize,
        launch: &Launch,
        (scalars, contents): (&BTreeMap<String, i64>, &BTreeMap<String, Fill>),
        schedule: Schedule,
        seed: u64,
    ) -> Option<Outcome> {
        let (module, func) = self.kernels[side];
        let function = &module.functions[func];
        let mut inputs = Inputs { other_scalars: Some(0), ..Inputs::new() };
        for param in function.scalar_params() {
            let value = *scalars.get(param.name)?;
            let bits = match param.ty {
                Type::F32 => u128::from((value as f32).to_bits()),
                Type::F64 => u128::from((value as f64).to_bits()),
                Type::Int(_) | Type::Float(_) | Type::Ref => {
                    let width = param.ty.bits().unwrap_or(64).clamp(1, 128);
                    i128::from(value) as u128 & (u128::MAX >> (128 - width))
                }
            };
            inputs.scalars.insert(Key::Index(param.index), bits);
        }
        for param in &function.params {
            let ParamKind::Array(array) = param.kind else { continue };
            let fill = contents.get(&param.name)?.clone();
            let key = Key::Name(module.arrays[array].name.clone());
            inputs.arrays.insert(key, ArrayInput::new(fill, BYTES));
        }
        let options =
            RunOptions { schedule, seed, limits: LIMITS, races: true, ..RunOptions::default() };
        let outcome = run(module, func, launch, &inputs, &options).ok()?;
        (outcome.status == Status::Finished && is_clean(&outcome)).then_some(outcome)
    }

    /// Do two runs leave the same in the arrays that are parameters, as far as one of the
    /// kernels may write them?
    fn same(&self, a: (usize, &Outcome), b: (usize, &Outcome)) -> bool {
        let arrays = |side: usize| {
            let (module, func) = self.kernels[side];
            let function = &module.functions[func];
            let list = function.params.iter().filter_map(|param| match param.kind {
                ParamKind::Array(array) => {
                    let ty = duet_equiv::pair::matching::element_type(function, array);
                    Some((param.name.clone(), (array, ty)))
                }
                ParamKind::Scalar(_) | ParamKind::Pointer(..) => None,
            });
            list.collect::<BTreeMap<_, _>>()
        };
        let (of_a, of_b) = (arrays(a.0), arrays(b.0));
        let is_written = |side: usize, array: &Array| {
            let (module, func) = self.kernels[side];
            written_arrays(&module.functions[func]).contains(array)
        };
        of_a.iter().all(|(name, (first, ty))| {
            let Some((second, other)) = of_b.get(name) else { return true };
            // What nobody reads or writes is made of elements of another size.
            if !is_written(a.0, first) && !is_written(b.0, second) {
                return true;
            }
            let [first, second] =
                [(a.1, first), (b.1, second)].map(|(outcome, array)| {
                    match outcome.arrays.get(array) {
                        Some(Contents::Dense(bytes)) => bytes.clone(),
                        Some(Contents::Sparse(_)) | None => vec![],
                    }
                });
            // An array that one side never touches is as it was: the other side says how.
            let ty = ty.filter(|_| *ty == *other);
            first.is_empty() || second.is_empty() || same_bytes(&first, &second, ty)
        })
    }
}

fn cells(random: &mut Random, ty: Option<Type>) -> Fill {
    const FLOATS: [f32; 8] = [f32::NAN, f32::INFINITY, -0.0, 0.1, 1e8, -1e8, 3.3, 1e-40];
    const INTS: [u32; 8] = [0, 1, 2, 0x8000_0000, 0x7fff_ffff, u32::MAX, 0x8000_0001, 5];
    let is_float = matches!(ty, Some(Type::Float(_)));
    let bits = |random: &mut Random| match is_float {
        true => random.pick(&FLOATS).to_bits(),
        false => random.pick(&INTS),
    };
    Fill::Cells((0..200).map(|index| (index, u128::from(bits(random)))).collect())
}

fn same_bytes(a: &[u8], b: &[u8], ty: Option<Type>) -> bool {
    let is_nan = |bytes: &[u8]| {
        let word: [u8; 4] = bytes.try_into().unwrap_or_default();
        f32::from_le_bytes(word).is_nan()
    };
    match ty {
        Some(Type::Float(FloatType::F32)) => a
            .chunks(4)
            .zip(b.chunks(4))
            .all(|(x, y)| x == y || x.len() == 4 && y.len() == 4 && is_nan(x) && is_nan(y)),
        _ => a == b,
    }
}

/// Defects make a run no evidence; what the language and the check tolerate does not.
fn is_clean(outcome: &Outcome) -> bool {
    outcome.findings.iter().all(|finding| {
        matches!(
            finding.kind,
            FindingKind::BenignRace(_)
                | FindingKind::PartialExchange { .. }
                | FindingKind::ExitBeforeBarrier { .. }
        )
    })
}
