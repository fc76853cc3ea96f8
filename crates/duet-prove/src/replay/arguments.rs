//! Launches of growing size, and arguments that meet `requires`: equations are solved where
//! one side is a single unknown, everything else is tried.

use std::collections::BTreeMap;

use duet_analysis::{Extent, LaunchSpec};
use duet_interp::{Key, Launch};
use duet_ir::{FunctionKind, Geometry, GeometryKind, Module, ScalarType, Type};
use duet_refute::Run;
use duet_spec::{BinaryOp, Expr, ExprKind};

use super::eval::{Evaluator, Scope};
use super::value::Val;
use super::world::RunWorld;
use crate::contract::{Bound, Named};

/// Threads of a block and blocks of the grid, in the order in which they are tried.
const SIZES: [(u32, u32); 16] = [
    (2, 2),
    (1, 1),
    (4, 2),
    (3, 2),
    (4, 1),
    (1, 3),
    (2, 3),
    (8, 2),
    (5, 3),
    (8, 1),
    (16, 2),
    (32, 1),
    (7, 1),
    (64, 2),
    (256, 1),
    (256, 2),
];
/// Assignments of arguments that are looked at for one launch.
const MOST: u32 = 600;
/// Instances of quantifiers in a precondition.
const INSTANCES: u64 = 1 << 14;
/// Threads of a launch.
const THREADS: u64 = 4096;

/// An unknown of a contract, with its values.
#[derive(Clone, Debug)]
enum Unknown {
    /// A scalar parameter, by position.
    Argument(usize, ScalarType),
    /// A ghost variable.
    Ghost,
}

/// Launches and arguments under which the preconditions hold, as far as they speak of no
/// contents; `yield_run` says whether more are wanted.
pub fn launches(
    module: &Module,
    bound: &Bound<'_>,
    spec: &LaunchSpec,
    given: &[Option<u128>],
    mut yield_run: impl FnMut(Run, BTreeMap<String, i128>) -> bool,
) {
    for launch in sizes(module, bound, spec) {
        let mut solver = Solver::new(module, bound, Run::new(launch), given);
        if !solver.search(&mut yield_run) {
            return;
        }
    }
}

/// The launches of growing size that fit.
fn sizes(module: &Module, bound: &Bound<'_>, spec: &LaunchSpec) -> Vec<Launch> {
    let func = &module.functions[bound.kernel];
    let bounded = match func.kind {
        FunctionKind::Kernel { max_threads: Some(most), .. } => most.min(1024),
        FunctionKind::Kernel { .. } | FunctionKind::Device => 1024,
    };
    let size = |extent: &Extent, free: u32| match extent {
        Extent::Number(number) => *number,
        Extent::Free => free,
    };
    let sizes = fixed_sizes(bound);
    let fixed = |kind: GeometryKind, mut all: [u32; 3]| {
        for (size, number) in &sizes {
            if size.kind == kind {
                all[size.dim.index()] = *number;
            }
        }
        all
    };
    let mut all: Vec<Launch> = vec![];
    for (block, grid) in SIZES {
        for others in [block.min(4), 1, 2, block] {
            let along = |extents: &[Extent; 3], x, other: u32| {
                [size(&extents[0], x), size(&extents[1], other), size(&extents[2], other.min(2))]
            };
            let launch = Launch {
                grid: fixed(
                    GeometryKind::GridDim,
                    along(&spec.grid, grid, grid.min(others.max(2))),
                ),
                block: fixed(GeometryKind::BlockDim, along(&spec.block, block, others)),
                global_offset: spec.global_offset,
                work_dim: spec.work_dim,
                dynamic_shared: None,
            };
            let free = spec.block.contains(&Extent::Free);
            let fits = !free || launch.threads_per_block() <= u64::from(bounded);
            if fits && launch.threads() <= THREADS && !all.contains(&launch) {
                all.push(launch);
            }
        }
    }
    all
}

/// Sizes that a precondition says are numbers.
fn fixed_sizes(bound: &Bound<'_>) -> Vec<(Geometry, u32)> {
    let mut fixed = vec![];
    for conjunct in bound.requires().flat_map(Expr::conjuncts) {
        let ExprKind::Binary(BinaryOp::Eq, a, b) = &conjunct.kind else { continue };
        for (name, number) in [(a, b), (b, a)] {
            if let (ExprKind::Name(name), ExprKind::Int(number)) = (&name.kind, &number.kind)
                && let Some(Named::Size(size)) = bound.names.get(name)
                && let Ok(number @ 1..) = u32::try_from(*number)
            {
                fixed.push((*size, number));
            }
        }
    }
    fixed
}

/// Finds arguments for one launch.
struct Solver<'a> {
    module: &'a Module,
    bound: &'a Bound<'a>,
    run: Run,
    ghosts: BTreeMap<String, i128>,
    unknowns: BTreeMap<String, Unknown>,
    conjuncts: Vec<&'a Expr>,
    left: u32,
}

impl<'a> Solver<'a> {
    fn new(
        module: &'a Module,
        bound: &'a Bound<'a>,
        mut run: Run,
        given: &[Option<u128>],
    ) -> Solver<'a> {
        let func = &module.functions[bound.kernel];
        let mut unknowns = BTreeMap::new();
        for (name, named) in &bound.names {
            if let Named::Argument(value, ty) = named
                && let Some(param) = func.scalar_params().find(|param| param.value == *value)
            {
                unknowns.insert(name.clone(), Unknown::Argument(param.index, *ty));
            }
        }
        for (position, param) in func.scalar_params().enumerate() {
            if let Some(bits) = given.get(position).copied().flatten() {
                run.inputs.scalars.insert(Key::Index(param.index), bits);
                unknowns.retain(
                    |_, one| !matches!(one, Unknown::Argument(at, _) if *at == param.index),
                );
            } else {
                // Arguments that the contract does not name.
                let bits = match param.ty {
                    Type::F32 => u128::from(1.5f32.to_bits()),
                    Type::F64 => u128::from(1.5f64.to_bits()),
                    Type::Int(_) | Type::Float(_) | Type::Ref => 3,
                };
                run.inputs.scalars.insert(Key::Index(param.index), bits);
            }
        }
        unknowns
            .extend(bound.ghosts().into_iter().map(|(name, _)| (name.to_string(), Unknown::Ghost)));
        let conjuncts = bound.requires().flat_map(Expr::conjuncts).collect();
        Solver { module, bound, run, ghosts: BTreeMap::new(), unknowns, conjuncts, left: MOST }
    }

    /// Tries all; `false` once enough was found.
    fn search(&mut self, yield_run: &mut impl FnMut(Run, BTreeMap<String, i128>) -> bool) -> bool {
        if self.left == 0 {
            return true;
        }
        let solved = self.solve_equations();
        let fails = self.conjuncts.iter().any(|one| {
            !self.unknowns.keys().any(|name| one.mentions(name))
                && !reads_cells(one, self.bound)
                && self.holds(one) == Some(false)
        });
        let go_on = if fails {
            self.left -= 1;
            true
        } else {
            match self.next_unknown() {
                None => {
                    self.left -= 1;
                    yield_run(self.run.clone(), self.ghosts.clone())
                }
                Some(name) => self.try_values(&name, yield_run),
            }
        };
        for (name, unknown) in solved {
            self.forget(name, unknown);
        }
        go_on
    }

    /// Ghosts first: arguments follow from them by equations.
    fn next_unknown(&self) -> Option<String> {
        let ghost = |(_, one): &(&String, &Unknown)| matches!(one, Unknown::Ghost);
        let first = self.unknowns.iter().find(ghost).or_else(|| self.unknowns.iter().next());
        first.map(|(name, _)| name.clone())
    }

    fn try_values(
        &mut self,
        name: &str,
        yield_run: &mut impl FnMut(Run, BTreeMap<String, i128>) -> bool,
    ) -> bool {
        let Some(unknown) = self.unknowns.remove(name) else { return true };
        let mut go_on = true;
        for value in self.values(&unknown) {
            self.set(name, &unknown, value);
            go_on = self.search(yield_run);
            if !go_on || self.left == 0 {
                break;
            }
        }
        self.forget(name.to_string(), unknown);
        go_on
    }

    /// Values to try, the likeliest first.
    fn values(&self, unknown: &Unknown) -> Vec<Val> {
        let launch = &self.run.launch;
        let along = |dim: usize| i128::from(launch.block[dim]) * i128::from(launch.grid[dim]);
        match unknown {
            Unknown::Ghost => [2, 1, 3, 0, 5].map(Val::Int).to_vec(),
            Unknown::Argument(_, ScalarType::Float) => vec![Val::Float(1.5), Val::Float(-0.25)],
            Unknown::Argument(_, ScalarType::Double) => vec![Val::Double(1.5)],
            Unknown::Argument(..) => {
                let (x, y) = (along(0), along(1));
                let all = i128::from(launch.threads());
                let block = i128::from(launch.block[0]);
                let mut values = vec![x, x - 1, x + 1, y, block, all, 2 * x + 1, 1, 3, 0, 2, 5];
                values.extend([block + 1, y + 1, i128::from(launch.grid[0]), -1, 7, 100]);
                let mut seen = vec![];
                values.retain(|value| {
                    let is_new = !seen.contains(value);
                    seen.push(*value);
                    is_new
                });
                values.into_iter().map(Val::Int).collect()
            }
        }
    }

    /// Solves `unknown == expression` as long as there are such equations.
    fn solve_equations(&mut self) -> Vec<(String, Unknown)> {
        let mut solved = vec![];
        while let Some((name, value)) = self.conjuncts.iter().find_map(|one| self.solution(one)) {
            let Some(unknown) = self.unknowns.remove(&name) else { break };
            self.set(&name, &unknown, value);
            solved.push((name, unknown));
        }
        solved
    }

    fn solution(&self, conjunct: &Expr) -> Option<(String, Val)> {
        let ExprKind::Binary(BinaryOp::Eq, a, b) = &conjunct.kind else { return None };
        [(a, b), (b, a)].into_iter().find_map(|(side, other)| {
            let ExprKind::Name(name) = &side.kind else { return None };
            let is_unknown = self.unknowns.contains_key(name);
            let is_open = self.unknowns.keys().any(|name| other.mentions(name));
            if !is_unknown || is_open || reads_cells(other, self.bound) {
                return None;
            }
            match self.eval(other) {
                Val::Unknown | Val::Array(..) => None,
                value @ Val::Int(_) | value @ Val::Float(_) | value @ Val::Double(_) => {
                    Some((name.clone(), value))
                }
            }
        })
    }

    fn set(&mut self, name: &str, unknown: &Unknown, value: Val) {
        match unknown {
            Unknown::Ghost => {
                self.ghosts.insert(name.to_string(), value.int().unwrap_or(0));
            }
            Unknown::Argument(index, ty) => {
                let bits = bits_of(value.cast(*ty), *ty);
                self.run.inputs.scalars.insert(Key::Index(*index), bits);
            }
        }
    }

    fn forget(&mut self, name: String, unknown: Unknown) {
        self.ghosts.remove(&name);
        self.unknowns.insert(name, unknown);
    }

    fn eval(&self, expr: &Expr) -> Val {
        let world = self.world();
        let logic = self.bound.logic();
        Evaluator::new(&world, &logic, INSTANCES).eval(expr, &mut Scope::default())
    }

    fn holds(&self, pred: &Expr) -> Option<bool> {
        self.eval(pred).truth()
    }

    fn world(&self) -> RunWorld<'_> {
        RunWorld {
            module: self.module,
            bound: self.bound,
            run: &self.run,
            outcome: None,
            ghosts: &self.ghosts,
        }
    }
}

/// Does the expression read a cell, itself or through a function?
fn reads_cells(expr: &Expr, bound: &Bound<'_>) -> bool {
    match &expr.kind {
        ExprKind::Index(..) => true,
        ExprKind::Call(name, args) => {
            // A function may call itself, so its body is looked at without calls.
            let of_body = bound.logic().get(name.as_str()).is_some_and(|one| has_index(&one.body));
            of_body || args.iter().any(|arg| reads_cells(arg, bound))
        }
        ExprKind::Int(_)
        | ExprKind::Float(..)
        | ExprKind::Name(_)
        | ExprKind::Threads
        | ExprKind::Unary(..)
        | ExprKind::Binary(..)
        | ExprKind::Conditional(..)
        | ExprKind::Cast(..)
        | ExprKind::Old(_)
        | ExprKind::Quantified(..)
        | ExprKind::Fold(..)
        | ExprKind::Pow2(_)
        | ExprKind::IsPow2(_) => expr.children().into_iter().any(|child| reads_cells(child, bound)),
    }
}

fn has_index(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Index(..)) || expr.children().into_iter().any(has_index)
}

/// The bits of a value in a type of C.
fn bits_of(value: Val, ty: ScalarType) -> u128 {
    let mask = u128::MAX >> (128 - 8 * ty.bytes());
    match value {
        Val::Int(number) => number as u128 & mask,
        Val::Float(number) => u128::from(number.to_bits()),
        Val::Double(number) => u128::from(number.to_bits()),
        Val::Array(..) | Val::Unknown => 0,
    }
}
