//! Engine 2: blocks on terms.
//!
//! For every shape of a block that the launch admits, one block of each kernel is run with
//! numbers for the ids of its threads and terms for data, block id, grid and arguments. Block
//! b of A is compared with block b of B: each must leave the same terms in the same cells of
//! every compared array.
//!
//! *Why it is sound.* Without races a thread sees memory as it was when the interval between
//! barriers began, with its own writes, and what a block writes no other block touches. So
//! the order in which the threads of an interval are run does not matter, and the cells that
//! a block leaves are a function of its id and of what the launch began with. The block id is
//! a symbol, so all blocks are covered; shapes are all listed. What the run cannot follow (a
//! symbolic bound of a loop, a barrier under a condition that is no number, cells at unknown
//! distances) ends the attempt.
//!
//! Nothing is shared with the interpreter, which tests this.
//!
//! | file | holds |
//! |---|---|
//! | `guards` | conditions in a canonical form |
//! | `memory` | cells |
//! | `adds` | atomic sums |
//! | `run` | one block: threads, barriers, exchanges |
//! | `cut` | loops that are counted |
//! | `counts` | how a thread with symbols for ids goes through one |
//! | `contexts` | conditions under which a whole block goes on |
//! | `extend` | indices that are extended |
//! | `thread` | one thread between two barriers |
//! | `sums` | sums whose order does not matter |
//! | `same` | values whose parts are the same sums |
//! | `whole` | loops whose number of iterations is no number |
//! | `ranges` | sums that such loops leave |

mod adds;
mod contexts;
mod counts;
pub(super) mod cut;
mod extend;
pub(super) mod guards;
mod memory;
mod ranges;
pub(super) mod run;
mod same;
pub(super) mod sums;
mod thread;
mod whole;

use std::collections::{BTreeMap, BTreeSet};

use duet_smt::{TermId, TermPool};
use duet_vc::{Extent, LaunchSpec};

use self::guards::Guards;
use self::memory::{Cell, Place};
use self::run::{BlockRun, Ended, Shape};
use super::{NotShown, Proof};
use crate::pair::expr::Expr;
use crate::pair::matching::Matching;
use crate::pair::request::{Kernel, Request, Side};

/// Shapes that are run at most.
const MOST_SHAPES: usize = 64;
/// Instructions of all threads of all shapes together.
const MOST_STEPS: u64 = 1 << 24;

/// Proves that each block of A leaves what that block of B leaves.
///
/// # Errors
/// If it cannot be shown so.
pub fn prove(
    kernels: &[Kernel<'_>; 2],
    matching: &Matching,
    request: &Request,
    specs: &[LaunchSpec; 2],
) -> Result<Proof, NotShown> {
    let engine = |how| Blocks { kernels, matching, request, specs, how };
    let shapes = engine(How::default()).shapes()?;
    let mut assumptions = BTreeSet::new();
    let compare = |how: How, assumptions: &mut BTreeSet<String>| {
        let mut steps = MOST_STEPS;
        let mut all = shapes.iter();
        all.try_for_each(|shape| engine(how).compare(shape, &mut steps, assumptions))
    };
    // Loops are taken as a whole only where they cannot be unrolled, and what that rests on is
    // assumed only where nothing is shown without.
    let whole = [false, true].map(|moves_ranges| How { takes_whole: true, moves_ranges });
    let mut result = compare(How::default(), &mut assumptions);
    for how in whole {
        if result.is_err() {
            assumptions.clear();
            result = compare(how, &mut assumptions);
        }
    }
    result?;
    let sizes: Vec<String> = shapes.iter().map(|[a, _]| a.to_string()).collect();
    let note = format!("blocks of {} on terms, any block id", sizes.join(", "));
    let engine = "blocks on terms".to_string();
    Ok(Proof { engine, assumptions, notes: vec![note], ..Proof::default() })
}

/// Compares small blocks only. Nothing is proved by that.
///
/// # Errors
/// If even these are not shown to leave the same.
pub fn scaled_down(
    kernels: &[Kernel<'_>; 2],
    matching: &Matching,
    request: &Request,
    specs: &[LaunchSpec; 2],
) -> Result<String, NotShown> {
    let engine = Blocks { kernels, matching, request, specs, how: How::default() };
    if !request.is_same_launch() {
        return Err("the launches are not the same".into());
    }
    let is_free = |dim: usize| specs[0].block[dim] == Extent::Free;
    let (mut steps, mut sizes) = (MOST_STEPS / 8, vec![]);
    for size in [1, 2, 4, 8] {
        let block = [0, 1, 2].map(|dim| match specs[0].block[dim] {
            Extent::Number(number) => number,
            Extent::Free if dim < 2 || !is_free(1) => size,
            Extent::Free => 1,
        });
        let shapes = [Shape { block }; 2];
        if Side::BOTH.into_iter().all(|side| engine.admits(side, shapes[side.index()])) {
            engine.compare(&shapes, &mut steps, &mut BTreeSet::new())?;
            sizes.push(shapes[0].to_string());
        }
    }
    match sizes.is_empty() {
        true => Err("no small block is allowed".into()),
        false => Ok(format!(
            "bounded: blocks of {} leave the same, others were not tried",
            sizes.join(", ")
        )),
    }
}

/// How loops are followed whose number of iterations is no number.
#[derive(Clone, Copy, Default)]
struct How {
    /// As a whole.
    takes_whole: bool,
    /// And so that their ranges begin at numbers.
    moves_ranges: bool,
}

struct Blocks<'a> {
    kernels: &'a [Kernel<'a>; 2],
    matching: &'a Matching,
    request: &'a Request,
    specs: &'a [LaunchSpec; 2],
    how: How,
}

impl Blocks<'_> {
    /// The pairs of shapes that the launches admit.
    fn shapes(&self) -> Result<Vec<[Shape; 2]>, NotShown> {
        if !self.request.is_same_launch() {
            self.grids_are_the_same()?;
        }
        let is_tied = self.request.is_same_launch();
        let of = |side: Side| candidates(&self.specs[side.index()]);
        let (all, others) = (of(Side::A)?, of(Side::B)?);
        let mut admitted: BTreeMap<[u32; 3], bool> = BTreeMap::new();
        let mut shapes = vec![];
        // Few are left of those of one side, and none is looked at twice.
        for block in all {
            let a = Shape { block };
            let partners = match is_tied {
                true => others.contains(&block).then_some(block).into_iter().collect(),
                false => others.clone(),
            };
            if !self.admits(Side::A, a) {
                continue;
            }
            for block in partners {
                let pair = [a, Shape { block }];
                if self.may_hold(&pair)
                    && *admitted.entry(block).or_insert_with(|| self.admits(Side::B, pair[1]))
                {
                    shapes.push(pair);
                }
                if shapes.len() > MOST_SHAPES {
                    return Err(format!(
                        "the launch admits more than {MOST_SHAPES} shapes of blocks"
                    )
                    .into());
                }
            }
        }
        match shapes.is_empty() {
            true => Err("the launch admits no shape of a block".into()),
            false => Ok(shapes),
        }
    }

    /// Untied launches have blocks that correspond only if the relation says so.
    ///
    /// SOUNDNESS: a block of the one that the other does not have writes more (test
    /// `blocks_correspond_only_in_equal_grids`).
    fn grids_are_the_same(&self) -> Result<(), NotShown> {
        let equal = |dim: &str| {
            let (a, b) = (format!("gridDim_a.{dim}"), format!("gridDim_b.{dim}"));
            let is_name = |expr: &Expr, name: &str| *expr == Expr::Name(name.to_string());
            self.request.given.iter().flat_map(|expr| expr.conjuncts()).any(|expr| match expr {
                Expr::Binary("==", x, y) => {
                    is_name(x, &a) && is_name(y, &b) || is_name(x, &b) && is_name(y, &a)
                }
                Expr::Number(_) | Expr::Name(_) | Expr::Unary(..) | Expr::Binary(..) => false,
            })
        };
        for (dim, name) in ["x", "y", "z"].into_iter().enumerate() {
            let same = match (self.specs[0].grid[dim], self.specs[1].grid[dim]) {
                (Extent::Number(a), Extent::Number(b)) => a == b,
                (Extent::Free, _) | (_, Extent::Free) => equal(name),
            };
            if !same {
                return Err(format!("the grids need not be the same along {name}").into());
            }
        }
        Ok(())
    }

    /// Do the relations hold that speak of block sizes alone?
    fn may_hold(&self, shapes: &[Shape; 2]) -> bool {
        let of = |name: &str| {
            let (stem, dim) = name.split_once('.')?;
            let dim = ["x", "y", "z"].iter().position(|own| *own == dim)?;
            let side = match stem {
                "blockDim_a" | "blockDim" => 0,
                "blockDim_b" => 1,
                _ => return None,
            };
            Some(i128::from(shapes[side].block[dim]))
        };
        let conjuncts = self.request.given.iter().flat_map(|expr| expr.conjuncts());
        conjuncts
            .filter(|expr| expr.names().iter().all(|name| of(name).is_some()))
            .all(|expr| expr.holds(&of))
    }

    /// Do the preconditions of a side allow the shape, as far as its first thread tells?
    fn admits(&self, side: Side, shape: Shape) -> bool {
        let (mut pool, mut guards) = (TermPool::new(), Guards::default());
        let mut steps = 10_000;
        let mut run =
            BlockRun::new(self.kernels, self.matching, self.specs, side, shape, &mut steps);
        !run.refuses(&mut pool, &mut guards)
    }

    /// Runs a block of each side and compares what they leave.
    fn compare(
        &self,
        shapes: &[Shape; 2],
        steps: &mut u64,
        assumptions: &mut BTreeSet<String>,
    ) -> Result<(), NotShown> {
        let (mut pool, mut guards) = (TermPool::new(), Guards::default());
        guards.has_least = true;
        guards.moves_ranges = self.how.moves_ranges;
        let mut ended = vec![];
        for side in Side::BOTH {
            let shape = shapes[side.index()];
            let mut run =
                BlockRun::new(self.kernels, self.matching, self.specs, side, shape, steps);
            run.takes_whole = self.how.takes_whole.then_some(self.request.float);
            let own = run.run(&mut pool, &mut guards).map_err(|NotShown(why)| {
                NotShown(format!("{} with a block of {shape}: {why}", side.letter()))
            })?;
            assumptions.extend(own.assumptions.iter().cloned());
            ended.push(own);
        }
        for pair in &self.matching.arrays {
            self.compare_array((&mut pool, &mut guards), *pair, &ended).map_err(
                |NotShown(why)| NotShown(format!("with a block of {}: {why}", shapes[0])),
            )?;
        }
        assumptions.append(&mut guards.assumed);
        Ok(())
    }

    fn compare_array(
        &self,
        (pool, guards): (&mut TermPool, &mut Guards),
        pair: [duet_ir::Array; 2],
        ended: &[Ended],
    ) -> Result<(), NotShown> {
        if !self.matching.outputs.contains(&pair) {
            return Ok(());
        }
        let kernel = &self.kernels[0];
        let name = kernel.function().array_name(kernel.module, pair[0]);
        let [a, b] = [0, 1].map(|side| ended[side].memory.of((pair[side], None)));
        let sums = [0, 1].map(|side| ended[side].adds.get(&pair[side]).map_or(&[][..], |all| all));
        if sums.iter().any(|list| !list.is_empty()) {
            // SOUNDNESS: sums and plain writes of two kernels are not compared (test
            // `a_sum_is_no_store`).
            if !a.is_empty() || !b.is_empty() {
                return Err(format!("`{name}` is written and added to").into());
            }
            return adds::same((pool, guards), sums)
                .map_err(|NotShown(why)| NotShown(format!("`{name}`: {why}")));
        }
        // SOUNDNESS: a place that only one side writes differs, or may (test
        // `a_place_that_only_one_side_writes`).
        let places: BTreeSet<Place> = a.keys().chain(b.keys()).copied().collect();
        let mut differ: Vec<[&Cell; 2]> = vec![];
        for place in places {
            match (a.get(&place), b.get(&place)) {
                (Some(x), Some(y)) => {
                    if x.ty != y.ty {
                        return Err(format!("`{name}` is written at different types").into());
                    }
                    if x.value != y.value {
                        differ.push([x, y]);
                    }
                }
                (Some(_), None) => {
                    return Err(format!("a writes a place of `{name}` that b does not").into());
                }
                (None, Some(_)) => {
                    return Err(format!("b writes a place of `{name}` that a does not").into());
                }
                (None, None) => {}
            }
        }
        // Cells of one array share most of what they are made of.
        let values: Vec<TermId> = differ.iter().flatten().map(|cell| cell.value).collect();
        let values = sums::normal_all(pool, &values, self.request.float);
        for ([cell, _], values) in differ.iter().zip(values.chunks(2)) {
            let is_float = matches!(cell.ty, duet_ir::Type::Float(_));
            let values = [values[0], values[1]];
            if !same::are_same((pool, guards), values, self.request.float, is_float) {
                return Err(format!("a place of `{name}` is left with different terms").into());
            }
        }
        Ok(())
    }
}

/// Shapes of blocks that a launch may have: all of them, or the one that is given.
fn candidates(spec: &LaunchSpec) -> Result<Vec<[u32; 3]>, NotShown> {
    let free = spec.block.iter().filter(|extent| **extent == Extent::Free).count();
    let given = |dim: usize| match spec.block[dim] {
        Extent::Number(number) => Some(number),
        Extent::Free => None,
    };
    let others: u32 = (0..3).filter_map(given).product();
    if free > 1 {
        return Err("the launch leaves several dimensions of the block open".into());
    }
    let most = if free == 0 { 1 } else { (spec.most_threads / others.max(1)).max(1) };
    Ok((1..=most).map(|size| [0, 1, 2].map(|dim| given(dim).unwrap_or(size))).collect())
}
