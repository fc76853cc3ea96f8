//! What the limits of a launch say about the numbers that its sizes are computed from.
//!
//! A launch of `n / 32` blocks of 32 threads has at least one block and at most 2^31 - 1
//! threads, so `n` is neither below 32 nor negative. Solvers find this, but not in the
//! middle of a question about products of `n`; so it is stated.
//!
//! SOUNDNESS: what is stated follows from limits that every proof about a launch with free
//! sizes assumes and prints (test `sizes_bound_what_they_are_computed_from`).

use std::collections::BTreeMap;

use duet_analysis::LaunchSpec;
use duet_ir::{BinaryOp, CastOp, Dim};

use super::{Relation, Term, TermData, Terms};

/// How deep sizes are looked into.
const MAX_DEPTH: usize = 12;

/// Least and greatest value, as integers: the term is one of them modulo 2^width.
type Interval = (i128, i128);

impl Relation {
    /// Bounds of terms with a sign, that hold whenever the launch runs anything.
    pub fn implied_by_limits(&self, launch: &LaunchSpec) -> Vec<(Term, (i128, i128))> {
        implied(self, launch)
    }
}

fn implied(relation: &Relation, launch: &LaunchSpec) -> Vec<(Term, Interval)> {
    let mut found: BTreeMap<Term, Interval> = BTreeMap::new();
    for dim in Dim::ALL {
        let sizes = [
            (relation.grid[dim.index()], launch.grid_dim(dim)),
            (relation.block[dim.index()], launch.block_dim(dim)),
        ];
        for (term, (least, most)) in sizes {
            let bounds = bounds_in(&relation.terms, term, (least.into(), most.into()), MAX_DEPTH);
            // Only bounds of one kind, here those of signed numbers, may be put together.
            for (part, interval) in bounds.into_iter().filter(|one| is_signed(relation, one)) {
                let known = found.entry(part).or_insert(interval);
                *known = (known.0.max(interval.0), known.1.min(interval.1));
            }
        }
    }
    found.into_iter().collect()
}

fn is_signed(relation: &Relation, (term, (least, most)): &(Term, Interval)) -> bool {
    let (lowest, highest) = signed_range(&relation.terms, *term);
    *least >= lowest && *most <= highest && least <= most
}

/// The signed numbers of a term's width.
fn signed_range(terms: &Terms, term: Term) -> Interval {
    let width = terms.ty(term).bits().unwrap_or(1).clamp(1, 64);
    (-(1 << (width - 1)), (1 << (width - 1)) - 1)
}

/// Bounds of what a term is computed from, given its own.
fn bounds_in(
    terms: &Terms,
    term: Term,
    (least, most): Interval,
    depth: usize,
) -> BTreeMap<Term, Interval> {
    let Some(width) = terms.ty(term).bits().filter(|width| *width <= 64) else {
        return BTreeMap::new();
    };
    if depth == 0 {
        return BTreeMap::new();
    }
    let whole = (1i128 << width) - 1;
    let (_, highest) = signed_range(terms, term);
    let inner = |part: Term, interval: Interval| bounds_in(terms, part, interval, depth - 1);
    match terms.data(term) {
        TermData::Unknown { .. } => BTreeMap::from([(term, (least, most))]),
        TermData::Binary { op, args: [a, b], .. } => {
            let constant = |term: Term| terms.bits(term).and_then(|bits| i128::try_from(bits).ok());
            let signed = |term: Term| {
                constant(term).map(|bits| if bits > highest { bits - whole - 1 } else { bits })
            };
            match (op, constant(b)) {
                (BinaryOp::UDiv, Some(by)) if by > 0 && least >= 0 && most <= whole => {
                    inner(a, (least * by, (most * by + by - 1).min(whole)))
                }
                (BinaryOp::SDiv, Some(by)) if (1..=highest).contains(&by) && most <= highest => {
                    match least > 0 {
                        true => inner(a, (least * by, (most * by + by - 1).min(highest))),
                        false => BTreeMap::new(),
                    }
                }
                (BinaryOp::LShr, Some(by)) if by < width.into() && least >= 0 && most <= whole => {
                    inner(a, (least << by, ((most << by) + (1 << by) - 1).min(whole)))
                }
                (BinaryOp::AShr, Some(by)) if by < width.into() && least >= 0 => {
                    match most <= highest {
                        true => {
                            inner(a, (least << by, ((most << by) + (1 << by) - 1).min(highest)))
                        }
                        false => BTreeMap::new(),
                    }
                }
                (BinaryOp::Add, _) => match (signed(a), signed(b)) {
                    (_, Some(added)) => inner(a, (least - added, most - added)),
                    (Some(added), None) => inner(b, (least - added, most - added)),
                    (None, None) => BTreeMap::from([(term, (least, most))]),
                },
                (BinaryOp::Sub, _) => match signed(b) {
                    Some(taken) => inner(a, (least + taken, most + taken)),
                    None => BTreeMap::from([(term, (least, most))]),
                },
                (BinaryOp::Mul, _) => BTreeMap::from([(term, (least, most))]),
                (_, _) => BTreeMap::new(),
            }
        }
        TermData::Cast { op, arg, .. } => {
            let narrow = terms.ty(arg).bits().filter(|width| *width <= 64).unwrap_or(64);
            match op {
                CastOp::ZExt if least >= 0 && most <= whole => {
                    inner(arg, (least, most.min((1 << narrow) - 1)))
                }
                CastOp::SExt if most <= highest && least > highest - whole => {
                    let (low, high) = signed_range(terms, arg);
                    inner(arg, (least.max(low), most.min(high)))
                }
                _ => BTreeMap::new(),
            }
        }
        TermData::Select { args: [a, b], .. } => {
            let (one, other) = (inner(a, (least, most)), inner(b, (least, most)));
            let both = one.into_iter().filter_map(|(term, (low, high))| {
                let &(least, most) = other.get(&term)?;
                Some((term, (low.min(least), high.max(most))))
            });
            both.collect()
        }
        TermData::Const { .. } | TermData::Compare { .. } => BTreeMap::new(),
    }
}

#[cfg(test)]
mod tests {
    use crate::{Origin, Unknown, UnknownData};
    use duet_analysis::Extent;
    use duet_ir::Type;

    use super::*;

    /// Blocks along x by what is made of `n`, in blocks of so many threads.
    fn bounds(threads: u32, blocks: impl Fn(&mut Terms, Term) -> Term) -> Option<Interval> {
        let mut terms = Terms::default();
        let n = terms.unknown(Unknown(0), Type::I32);
        let one = terms.constant(1, Type::I32);
        let number = terms.constant(threads.into(), Type::I32);
        let shared = terms.constant(0, Type::I64);
        let grid = [blocks(&mut terms, n), one, one];
        let unknowns = vec![UnknownData { name: "n".into(), origin: Origin::Input, ty: Type::I32 }];
        let block = [number, one, one];
        let (bases, facts) = (vec![], vec![]);
        let relation = Relation {
            terms,
            unknowns,
            grid,
            block,
            shared,
            arguments: None,
            bases,
            facts,
            items: None,
        };
        let mut launch = LaunchSpec::known([1; 3], [threads, 1, 1]);
        launch.grid[0] = Extent::Free;
        implied(&relation, &launch).into_iter().find(|(term, _)| *term == n).map(|(_, of)| of)
    }

    /// `(n + added) / by`.
    fn quotient(op: BinaryOp, added: u128, by: u128) -> impl Fn(&mut Terms, Term) -> Term {
        move |terms, n| {
            let (added, by) = (terms.constant(added, Type::I32), terms.constant(by, Type::I32));
            let sum = terms.binary(BinaryOp::Add, true, n, added);
            terms.binary(op, false, sum, by)
        }
    }

    #[test]
    fn sizes_bound_what_they_are_computed_from() {
        let most = i128::from(i32::MAX);
        assert_eq!(bounds(32, quotient(BinaryOp::UDiv, 0, 32)), Some((32, most)));
        assert_eq!(bounds(32, quotient(BinaryOp::SDiv, 31, 32)), Some((1, most - 31)));
        // The sum may wrap: 2^32 - 1 + 256 is 255, which makes no block, but 2^31 + 1 makes
        // many, and is negative.
        assert_eq!(bounds(32, quotient(BinaryOp::UDiv, 0, 256)), None);
        assert_eq!(bounds(256, quotient(BinaryOp::UDiv, 255, 256)), Some((1, most - 255)));
        assert_eq!(bounds(1, quotient(BinaryOp::LShr, 0, 8)), None);
        // Nothing is known of what a remainder is made of.
        assert_eq!(bounds(1, quotient(BinaryOp::URem, 0, 256)), None);
    }

    #[test]
    fn either_side_of_a_choice_may_be_taken() {
        let rounded_up = |terms: &mut Terms, n: Term| {
            let by = terms.constant(64, Type::I32);
            let one = terms.constant(1, Type::I32);
            let zero = terms.constant(0, Type::I32);
            let whole = terms.binary(BinaryOp::UDiv, false, n, by);
            let rest = terms.binary(BinaryOp::URem, false, n, by);
            let more = terms.binary(BinaryOp::Add, false, whole, one);
            let is_whole = terms.compare(duet_ir::IntCc::Eq, rest, zero);
            terms.select(is_whole, whole, more)
        };
        assert_eq!(bounds(64, rounded_up), Some((0, i128::from(i32::MAX))));
    }
}
