//! Models that are guessed: a few small launches, before a solver is asked whether
//! what is assumed can be met.
//!
//! With free sizes the assumptions multiply sizes with each other, and a solver may
//! look long for a launch of four threads that suits them. A guess counts only if the
//! evaluator finds every literal true under it, like the model of a solver; what no
//! guess suits is asked as ever. The two threads of a guess are next to each other, or the
//! first and the last of a block.

use duet_ir::{Dim, Value};
use duet_smt::solver::{Answer, SolverError};
use duet_smt::{Model, Op, Sort, TermId, TermPool, Value as TermValue, holds};
use duet_vc::{Origin, Side, Walker};

use crate::asker::Asker;
use crate::budget::Effort;

/// A launch that may suit the assumptions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Likely {
    /// Threads of a block.
    pub block: [u32; 3],
    /// Blocks of the grid.
    pub grid: [u32; 3],
    /// Scalar arguments; others are zero.
    pub arguments: Vec<(Value, u128)>,
}

/// Values that all arguments are given.
const ARGUMENTS: [u128; 6] = [4, 1, 2, 16, 64, 1024];

impl Asker<'_> {
    /// Asks for a model of the conjunction; first of small launches.
    ///
    /// SOUNDNESS: a guess is a model by evaluation (kernels/contracts/vacuous-bug.cu has
    /// none).
    pub fn find_model(
        &mut self,
        walker: &mut Walker<'_>,
        literals: &[TermId],
        about: &str,
        effort: Effort,
    ) -> Result<Answer, SolverError> {
        match self.guess(walker, literals) {
            Some(model) => Ok(Answer::Sat(model)),
            None => Ok(self.decide(&mut walker.pool, literals, about, effort)?.answer),
        }
    }

    fn guess(&self, walker: &mut Walker<'_>, literals: &[TermId]) -> Option<Model> {
        if !self.options.is_size_free || self.trace.is_wanted || self.trace.only_written {
            return None;
        }
        for likely in self.likely_launches(walker) {
            let launch = launch_model(walker, &likely);
            let beside = SECONDS.map(|second| with_second(walker, launch.clone(), second));
            let last = with_last(walker, launch, &likely);
            for model in beside.into_iter().chain([last]) {
                if holds(&walker.pool, &model, literals) {
                    return Some(model);
                }
            }
        }
        None
    }

    fn likely_launches(&self, walker: &Walker<'_>) -> Vec<Likely> {
        let func = walker.facts.func;
        let scalars: Vec<Value> = func.scalar_params().map(|param| param.value).collect();
        let small = ARGUMENTS.into_iter().map(|number| Likely {
            block: [2; 3],
            grid: [2; 3],
            arguments: scalars.iter().map(|&value| (value, number)).collect(),
        });
        self.options.likely.iter().cloned().chain(small).collect()
    }
}

/// The sizes and arguments as a model; what is a number stays.
fn launch_model(walker: &mut Walker<'_>, likely: &Likely) -> Model {
    let mut model = Model::new();
    let sizes = walker.geometry.block.into_iter().chain(walker.geometry.grid);
    for (term, number) in sizes.zip(likely.block.into_iter().chain(likely.grid)) {
        set(&walker.pool, &mut model, term, number.into());
    }
    for &(value, bits) in &likely.arguments {
        let sort = match walker.facts.func.type_of(value).bits() {
            Some(1) => Sort::Bool,
            Some(width) => Sort::BitVec(width),
            None => continue,
        };
        let name = duet_vc::argument_name(walker.facts.func, value);
        let term = walker.pool.constant(&name, sort);
        set(&walker.pool, &mut model, term, bits);
    }
    model
}

/// The second thread is the first one's neighbour in this direction; all other ids
/// are zero.
fn with_second(walker: &Walker<'_>, mut model: Model, (in_block, dim): (bool, usize)) -> Model {
    let dim = Dim::ALL[dim];
    let id = if in_block { Origin::ThreadId } else { Origin::BlockId };
    if let Some(symbol) = walker.symbols.of(id(Side::Second, dim)) {
        model.set(symbol, TermValue::bv(32, 1));
    }
    model
}

/// The second thread is the last of its block.
fn with_last(walker: &Walker<'_>, mut model: Model, likely: &Likely) -> Model {
    for dim in Dim::ALL {
        if let Some(symbol) = walker.symbols.of(Origin::ThreadId(Side::Second, dim)) {
            let last = likely.block[dim.index()].saturating_sub(1);
            model.set(symbol, TermValue::bv(32, last.into()));
        }
    }
    model
}

fn set(pool: &TermPool, model: &mut Model, term: TermId, bits: u128) {
    if let Op::Apply(symbol) = pool.op(term) {
        let value = match pool.sort(term) {
            Sort::Bool => TermValue::Bool(bits != 0),
            Sort::BitVec(width) => TermValue::bv(width, bits),
            Sort::Int | Sort::Named(_) | Sort::Array { .. } => return,
        };
        model.set(symbol, value);
    }
}

/// Where the second thread may be: in the same block, or in the next one.
const SECONDS: [(bool, usize); 4] = [(true, 0), (false, 0), (true, 1), (false, 1)];
