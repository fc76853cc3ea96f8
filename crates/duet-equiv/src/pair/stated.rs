//! What the relation says of one kernel alone, as preconditions of that kernel.
//!
//! `duet check` of each side is about the launches that the relation allows it, and the
//! engines take a precondition for a fact. A conjunct is stated on a side if every name in
//! it has a value there: sizes of its launch, its own parameters, parameters of the other
//! side that are matched with one of its own, and names that another conjunct equates with
//! one of these.
//!
//! SOUNDNESS: what is stated follows from the relation. Each conjunct is translated exactly,
//! in a width that holds every number in it, or left out (test
//! `a_relation_is_a_precondition_of_each_side`).

use duet_analysis::MAX_THREADS_ALONG;
use duet_ir::{
    BinaryOp, CastOp, Dim, Function, FunctionBuilder, Geometry, GeometryKind, InstData, IntCc,
    Type, Value, WellFormed,
};
use duet_transform::with_preconditions;
use duet_vc::{Extent, LaunchSpec};

use super::expr::Expr;
use super::matching::Matching;
use super::request::{Kernel, Request, Side};

/// The kernel of a side with what the relation says of it.
pub fn with_given(
    kernels: &[Kernel<'_>; 2],
    side: Side,
    request: &Request,
    matching: &Matching,
    specs: &[LaunchSpec; 2],
) -> WellFormed {
    let kernel = &kernels[side.index()];
    let context = Context {
        side,
        same_launch: request.is_same_launch(),
        functions: [kernels[0].function(), kernels[1].function()],
        spec: &specs[side.index()],
        matching,
    };
    let limits = match request.is_same_launch() {
        true => vec![],
        false => limits_of(side.other(), &specs[side.other().index()]),
    };
    let given = request.given.iter().flat_map(Expr::conjuncts);
    let conjuncts: Vec<&Expr> = given.chain(&limits).collect();
    let own = conjuncts.iter().map(|one| context.in_own_names(one, &conjuncts));
    let known = limits_of(side, &specs[side.index()]);
    let own: Vec<Expr> = own.filter(|one| !known.contains(one)).collect();
    let stated: Vec<(&Expr, u8)> =
        own.iter().filter_map(|one| Some((one, context.width_of(one)?))).collect();
    if stated.is_empty() {
        return kernel.module.clone();
    }
    with_preconditions(kernel.module, kernel.func, &stated, |builder, (one, width)| {
        context.predicate(builder, one, Type::Int(width))
    })
}

/// The limits of a launch. The relation makes limits of the other launch of it: a thread that
/// does the work of four is one of a quarter of the threads.
///
/// SOUNDNESS: these are the limits that are assumed, and printed, of sizes that are free
/// (`duet_vc::Geometry`), and of no others (test `limits_of_the_other_launch`).
fn limits_of(side: Side, spec: &LaunchSpec) -> Vec<Expr> {
    let dims = ["x", "y", "z"].into_iter().enumerate();
    let free =
        dims.filter(|&(dim, _)| spec.block[dim] == Extent::Free || spec.grid[dim] == Extent::Free);
    let limit = free.map(|(dim, name)| {
        let size = |stem: &str, extent: Extent| match extent {
            Extent::Number(number) => Expr::Number(i128::from(number)),
            Extent::Free => Expr::Name(format!("{stem}_{}.{name}", side.letter())),
        };
        let sizes = [size("blockDim", spec.block[dim]), size("gridDim", spec.grid[dim])];
        let [block, grid] = sizes.map(Box::new);
        let along = Expr::Binary("*", block, grid);
        let most = Expr::Number(i128::from(MAX_THREADS_ALONG));
        Expr::Binary("<=", Box::new(along), Box::new(most))
    });
    limit.collect()
}

/// The values that an expression may have.
type Range = (i128, i128);

/// What a name stands for on this side.
#[derive(Clone, Copy)]
enum Named {
    Size(Geometry),
    Argument { value: Value, width: u32, unsigned: bool },
}

struct Context<'a> {
    side: Side,
    same_launch: bool,
    functions: [&'a Function; 2],
    spec: &'a LaunchSpec,
    matching: &'a Matching,
}

impl Context<'_> {
    fn named(&self, name: &str) -> Option<Named> {
        if let Some((stem, dim)) = name.split_once('.') {
            let dim = [Dim::X, Dim::Y, Dim::Z][["x", "y", "z"].iter().position(|d| *d == dim)?];
            let (stem, of) = of_side(stem);
            let is_ours = self.same_launch || of == Some(self.side);
            let kind = match stem {
                "blockDim" => GeometryKind::BlockDim,
                "gridDim" => GeometryKind::GridDim,
                _ => return None,
            };
            return is_ours.then_some(Named::Size(Geometry { kind, dim }));
        }
        // A name without a side is A's; one that ends like a side may be whole.
        self.argument(Side::A, name).or_else(|| match of_side(name) {
            (stem, Some(of)) => self.argument(of, stem),
            (_, None) => None,
        })
    }

    /// The same with names of the other side replaced by what the relation says that they are
    /// equal to, in names of this one: `gridDim_a.x == 4 * gridDim_b.x`.
    ///
    /// SOUNDNESS: only conjuncts of the relation are equations; those of an alternative are
    /// not (test `an_alternative_is_no_equation`).
    fn in_own_names(&self, one: &Expr, conjuncts: &[&Expr]) -> Expr {
        let is_own = |expr: &Expr| expr.names().iter().all(|name| self.named(name).is_some());
        one.substituted(&|name| {
            if self.named(name).is_some() {
                return None;
            }
            conjuncts.iter().find_map(|conjunct| {
                let Expr::Binary("==", a, b) = conjunct else { return None };
                let is_it = |side: &Expr| matches!(side, Expr::Name(own) if own == name);
                let value = if is_it(a) { b } else { is_it(b).then_some(a)? };
                is_own(value).then(|| (**value).clone())
            })
        })
    }

    /// A parameter of a side, or its partner on this one.
    fn argument(&self, of: Side, name: &str) -> Option<Named> {
        let index = self.functions[of.index()].scalar_params().find(|p| p.name == name)?.index;
        let own = match of == self.side {
            true => index,
            false => {
                let pairs = self.matching.scalars.iter();
                pairs.clone().find(|pair| pair.index[of.index()] == index)?.index[self.side.index()]
            }
        };
        let param = self.functions[self.side.index()].scalar_params().find(|p| p.index == own)?;
        let Type::Int(width) = param.ty else { return None };
        let (value, unsigned) = (param.value, param.unsigned);
        Some(Named::Argument { value, width: u32::from(width), unsigned })
    }

    /// The width in which a predicate is exact; none if it is not stated here.
    fn width_of(&self, pred: &Expr) -> Option<u8> {
        let (low, high) = self.widest(pred)?;
        let fits = |bits: u32| low >= -(1i128 << (bits - 1)) && high < 1i128 << (bits - 1);
        match (fits(64), fits(126)) {
            (true, _) => Some(64),
            (false, true) => Some(128),
            (false, false) => None,
        }
    }

    /// A range that holds all numbers inside a predicate.
    fn widest(&self, pred: &Expr) -> Option<Range> {
        match pred {
            Expr::Binary("&&" | "||", a, b) => Some(both(self.widest(a)?, self.widest(b)?)),
            Expr::Binary(op, a, b) if relation(op).is_some() => {
                Some(both(self.inner(a)?.1, self.inner(b)?.1))
            }
            Expr::Unary('!', arg) => self.widest(arg),
            Expr::Number(_) | Expr::Name(_) | Expr::Unary(..) | Expr::Binary(..) => None,
        }
    }

    /// The range of an expression, and one that holds all numbers inside it.
    fn inner(&self, expr: &Expr) -> Option<(Range, Range)> {
        let alone = |range: Range| Some((range, range));
        match expr {
            Expr::Number(number) => alone((*number, *number)),
            Expr::Name(name) => alone(match self.named(name)? {
                Named::Size(size) => self.range_of(size),
                Named::Argument { width, unsigned, .. } if width <= 64 => match unsigned {
                    true => (0, (1i128 << width) - 1),
                    false => (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1),
                },
                Named::Argument { .. } => return None,
            }),
            Expr::Unary('-', arg) => {
                let ((low, high), all) = self.inner(arg)?;
                let own = (high.checked_neg()?, low.checked_neg()?);
                Some((own, both(own, all)))
            }
            Expr::Binary(op, a, b) => {
                let (((a, b), one), ((c, d), two)) = (self.inner(a)?, self.inner(b)?);
                let own = match *op {
                    "+" => (a.checked_add(c)?, b.checked_add(d)?),
                    "-" => (a.checked_sub(d)?, b.checked_sub(c)?),
                    "*" => product((a, b), (c, d))?,
                    _ => return None,
                };
                Some((own, both(own, both(one, two))))
            }
            Expr::Unary(..) => None,
        }
    }

    /// A given size is taken as it is, and a free one has limits.
    fn range_of(&self, size: Geometry) -> Range {
        let (extents, most) = match size.kind {
            GeometryKind::BlockDim => (&self.spec.block, self.spec.most_threads),
            _ => (&self.spec.grid, MAX_THREADS_ALONG),
        };
        match extents[size.dim.index()] {
            Extent::Number(number) => (i128::from(number), i128::from(number)),
            Extent::Free => (0, i128::from(most)),
        }
    }

    fn predicate(&self, builder: &mut FunctionBuilder<'_>, pred: &Expr, ty: Type) -> Value {
        match pred {
            Expr::Binary(op @ ("&&" | "||"), a, b) => {
                let args = [a, b].map(|one| self.predicate(builder, one, ty));
                let op = if *op == "&&" { BinaryOp::And } else { BinaryOp::Or };
                binary(builder, op, args)
            }
            Expr::Unary(_, arg) => {
                let holds = self.predicate(builder, arg, ty);
                builder.not(holds)
            }
            Expr::Binary(op, a, b) => {
                let [a, b] = [a, b].map(|one| self.integer(builder, one, ty));
                builder.compare(relation(op).unwrap_or(IntCc::Eq), a, b)
            }
            Expr::Number(_) | Expr::Name(_) => builder.int(1, Type::BOOL),
        }
    }

    fn integer(&self, builder: &mut FunctionBuilder<'_>, expr: &Expr, ty: Type) -> Value {
        match expr {
            Expr::Number(number) => builder.int(*number as u128, ty),
            Expr::Name(name) => match self.named(name) {
                Some(Named::Size(size)) => {
                    let value = builder.value(InstData::Geometry(size));
                    builder.value(InstData::Cast { op: CastOp::ZExt, arg: value, to: ty })
                }
                Some(Named::Argument { value, unsigned, .. }) => {
                    let op = if unsigned { CastOp::ZExt } else { CastOp::SExt };
                    match builder.func.type_of(value) == ty {
                        true => value,
                        false => builder.value(InstData::Cast { op, arg: value, to: ty }),
                    }
                }
                None => builder.int(0, ty),
            },
            Expr::Unary(_, arg) => {
                let args = [builder.int(0, ty), self.integer(builder, arg, ty)];
                binary(builder, BinaryOp::Sub, args)
            }
            Expr::Binary(op, a, b) => {
                let args = [a, b].map(|one| self.integer(builder, one, ty));
                let op = match *op {
                    "+" => BinaryOp::Add,
                    "-" => BinaryOp::Sub,
                    _ => BinaryOp::Mul,
                };
                binary(builder, op, args)
            }
        }
    }
}

/// A name without its side.
fn of_side(name: &str) -> (&str, Option<Side>) {
    match (name.strip_suffix("_a"), name.strip_suffix("_b")) {
        (Some(stem), _) => (stem, Some(Side::A)),
        (None, Some(stem)) => (stem, Some(Side::B)),
        (None, None) => (name, None),
    }
}

fn relation(op: &str) -> Option<IntCc> {
    Some(match op {
        "==" => IntCc::Eq,
        "!=" => IntCc::Ne,
        "<" => IntCc::Slt,
        "<=" => IntCc::Sle,
        ">" => IntCc::Sgt,
        ">=" => IntCc::Sge,
        _ => return None,
    })
}

fn both(a: Range, b: Range) -> Range {
    (a.0.min(b.0), a.1.max(b.1))
}

fn product((a, b): Range, (c, d): Range) -> Option<Range> {
    let all = [a.checked_mul(c)?, a.checked_mul(d)?, b.checked_mul(c)?, b.checked_mul(d)?];
    Some((*all.iter().min()?, *all.iter().max()?))
}

fn binary(builder: &mut FunctionBuilder<'_>, op: BinaryOp, args: [Value; 2]) -> Value {
    builder.value(InstData::Binary { op, nsw: false, args })
}
