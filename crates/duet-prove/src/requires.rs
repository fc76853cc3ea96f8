//! `requires` as preconditions of the kernel IR, for the check: widened, so that nothing
//! wraps.
//!
//! SOUNDNESS: what is stated here must follow from the contract, or the check would prove a
//! kernel for fewer launches than the contract allows. Each conjunct is translated exactly,
//! in a width that holds all its values, or left out (test
//! `what_cannot_be_stated_exactly_is_left_out`). A limit of a product of three sizes or four,
//! each of which another conjunct makes positive, is stated as limits of the products of some
//! of them and of all, at 64 bits: the product of some is at most that of all, so none wraps
//! unless a smaller one is over the limit already (test `zero_bounds_no_product`).

use duet_analysis::{Extent, LaunchSpec};
use duet_ir::{
    BinaryOp as IrOp, CastOp, Dim, FunctionBuilder, Geometry, GeometryKind, InstData, IntCc,
    ScalarType, Type, Value, WellFormed,
};
use duet_spec::{BinaryOp, Expr, ExprKind, UnaryOp, known_constant};
use duet_transform::with_preconditions;

use crate::contract::{Bound, Named};

/// The kernel with the preconditions that can be stated exactly.
pub fn with_requires(module: &WellFormed, bound: &Bound<'_>, launch: &LaunchSpec) -> WellFormed {
    let all: Vec<&Expr> = bound.requires().flat_map(Expr::conjuncts).collect();
    let context = Context { bound, launch };
    let stated: Vec<Stated<'_>> = all.iter().flat_map(|one| context.stated(one, &all)).collect();
    let stated: Vec<&Stated<'_>> = stated.iter().collect();
    with_preconditions(module, bound.kernel, &stated, |builder, one| match one {
        Stated::Exactly(one, width) => context.predicate(builder, one, Type::Int(*width)),
        Stated::Product(factors, limit) => context.limited(builder, factors, *limit),
    })
}

/// A precondition as it is stated.
enum Stated<'e> {
    /// Of a width that holds all values.
    Exactly(&'e Expr, u8),
    /// A product, of 64 bits, is at most a number.
    Product(Vec<&'e Expr>, i32),
}

/// The preconditions that are not stated.
pub fn left_out<'s>(bound: &Bound<'s>, launch: &LaunchSpec) -> Vec<&'s Expr> {
    let context = Context { bound, launch };
    let all = bound.requires().flat_map(Expr::conjuncts);
    all.filter(|one| context.width_of(one).is_none()).collect()
}

/// The values that an integer expression may have.
type Range = (i128, i128);

struct Context<'a> {
    bound: &'a Bound<'a>,
    launch: &'a LaunchSpec,
}

impl Context<'_> {
    /// How a conjunct is stated, if it can be.
    fn stated<'e>(&self, one: &'e Expr, all: &[&Expr]) -> Vec<Stated<'e>> {
        let Some(width) = self.width_of(one) else { return vec![] };
        if width > 64
            && let Some((factors, limit, is_strict)) = bounded_product(one)
            && let Some((least, most)) = self.range(limit)
            && least == most
            && let Ok(limit) = i32::try_from(most - i128::from(is_strict))
            && factors.iter().all(|factor| self.is_small(factor) && is_positive(factor, all))
        {
            let products = subsets(&factors).into_iter();
            return products.map(|some| Stated::Product(some, limit)).collect();
        }
        vec![Stated::Exactly(one, width)]
    }

    /// Does an `int` hold it?
    fn is_small(&self, expr: &Expr) -> bool {
        self.inner(expr).is_some_and(|(low, high)| low >= -(1 << 31) && high < 1 << 31)
    }

    /// The product of the factors is at most the limit.
    fn limited(&self, builder: &mut FunctionBuilder<'_>, factors: &[&Expr], limit: i32) -> Value {
        let ty = Type::Int(64);
        let mut product = builder.int(1, ty);
        for factor in factors {
            let factor = self.integer(builder, factor, ty);
            product = binary(builder, IrOp::Mul, product, factor);
        }
        let limit = builder.int(i128::from(limit) as u128, ty);
        builder.compare(IntCc::Sle, product, limit)
    }

    /// The width in which a predicate is exact; none if it cannot be stated.
    fn width_of(&self, pred: &Expr) -> Option<u8> {
        let widest = self.widest(pred)?;
        let fits = |bits: u32| widest.0 >= -(1i128 << (bits - 1)) && widest.1 < 1i128 << (bits - 1);
        match () {
            () if fits(64) => Some(64),
            () if fits(126) => Some(128),
            () => None,
        }
    }

    /// A range that holds all integers inside a predicate.
    fn widest(&self, pred: &Expr) -> Option<Range> {
        let both = |a: Range, b: Range| (a.0.min(b.0), a.1.max(b.1));
        match &pred.kind {
            ExprKind::Binary(op, a, b) if op.is_logical() => {
                Some(both(self.widest(a)?, self.widest(b)?))
            }
            ExprKind::Binary(op, a, b) if op.is_relation() => {
                Some(both(self.inner(a)?, self.inner(b)?))
            }
            ExprKind::Unary(UnaryOp::Not, a) => self.widest(a),
            ExprKind::IsPow2(a) => Some(both(self.inner(a)?, (-1, 1))),
            ExprKind::Int(_)
            | ExprKind::Float(..)
            | ExprKind::Name(_)
            | ExprKind::Threads
            | ExprKind::Index(..)
            | ExprKind::Call(..)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Conditional(..)
            | ExprKind::Cast(..)
            | ExprKind::Old(_)
            | ExprKind::Quantified(..)
            | ExprKind::Fold(..)
            | ExprKind::Pow2(_) => None,
        }
    }

    /// A range that holds the integers inside an expression.
    fn inner(&self, expr: &Expr) -> Option<Range> {
        let own = self.range(expr)?;
        expr.children().into_iter().try_fold(own, |all, child| match &expr.kind {
            ExprKind::Binary(..) | ExprKind::Unary(..) => {
                let one = self.inner(child)?;
                Some((all.0.min(one.0), all.1.max(one.1)))
            }
            ExprKind::Int(_)
            | ExprKind::Float(..)
            | ExprKind::Name(_)
            | ExprKind::Threads
            | ExprKind::Index(..)
            | ExprKind::Call(..)
            | ExprKind::Conditional(..)
            | ExprKind::Cast(..)
            | ExprKind::Old(_)
            | ExprKind::Quantified(..)
            | ExprKind::Fold(..)
            | ExprKind::Pow2(_)
            | ExprKind::IsPow2(_) => Some(all),
        })
    }

    fn range(&self, expr: &Expr) -> Option<Range> {
        match &expr.kind {
            ExprKind::Int(number) => Some((*number, *number)),
            ExprKind::Name(name) => match self.bound.names.get(name) {
                Some(named) => self.range_of(*named),
                None => known_constant(name).map(|number| (number, number)),
            },
            ExprKind::Threads => Dim::ALL
                .into_iter()
                .try_fold((1, 1), |all, dim| product(all, self.range_of(Named::Along(dim))?)),
            ExprKind::Unary(UnaryOp::Minus, arg) => {
                let (low, high) = self.range(arg)?;
                Some((high.checked_neg()?, low.checked_neg()?))
            }
            ExprKind::Binary(op, a, b) => {
                let ((a, b), (c, d)) = (self.range(a)?, self.range(b)?);
                match op {
                    BinaryOp::Add => Some((a.checked_add(c)?, b.checked_add(d)?)),
                    BinaryOp::Sub => Some((a.checked_sub(d)?, b.checked_sub(c)?)),
                    BinaryOp::Mul => product((a, b), (c, d)),
                    BinaryOp::Div if c == d && c > 0 => Some((a / c, b / c)),
                    BinaryOp::Rem if c == d && c > 0 => {
                        Some((a.clamp(1 - c, 0), b.clamp(0, c - 1)))
                    }
                    BinaryOp::Shl if c == d && (0..64).contains(&c) => {
                        product((a, b), (1 << c, 1 << c))
                    }
                    BinaryOp::Shr if c == d && (0..64).contains(&c) => Some((a >> c, b >> c)),
                    // A number that is not negative bounds the bits of both.
                    BinaryOp::BitAnd if c >= 0 => Some((0, d)),
                    BinaryOp::BitAnd if a >= 0 => Some((0, b)),
                    // Other divisors may be zero, which yields nothing.
                    BinaryOp::Div
                    | BinaryOp::Rem
                    | BinaryOp::Shl
                    | BinaryOp::Shr
                    | BinaryOp::BitAnd
                    | BinaryOp::BitOr
                    | BinaryOp::BitXor
                    | BinaryOp::Eq
                    | BinaryOp::Ne
                    | BinaryOp::Lt
                    | BinaryOp::Le
                    | BinaryOp::Gt
                    | BinaryOp::Ge
                    | BinaryOp::And
                    | BinaryOp::Or
                    | BinaryOp::Implies => None,
                }
            }
            ExprKind::Float(..)
            | ExprKind::Index(..)
            | ExprKind::Call(..)
            | ExprKind::Unary(..)
            | ExprKind::Conditional(..)
            | ExprKind::Cast(..)
            | ExprKind::Old(_)
            | ExprKind::Quantified(..)
            | ExprKind::Fold(..)
            | ExprKind::Pow2(_)
            | ExprKind::IsPow2(_) => None,
        }
    }

    fn range_of(&self, named: Named) -> Option<Range> {
        match named {
            Named::Argument(_, ty) => range_of_type(ty),
            Named::Constant(bits, ty) => {
                let number = signed(bits, ty)?;
                Some((number, number))
            }
            Named::Size(size) => Some(self.range_of_size(size)),
            Named::Along(dim) => {
                let part = |kind| self.range_of_size(Geometry { kind, dim });
                product(part(GeometryKind::BlockDim), part(GeometryKind::GridDim))
            }
            Named::Id(_) | Named::GlobalId(_) | Named::Array(..) => None,
        }
    }

    fn range_of_size(&self, size: Geometry) -> Range {
        match self.number(size) {
            Some(number) => (i128::from(number), i128::from(number)),
            None => (0, most_of_size(self.launch, size)),
        }
    }

    /// A size of the launch that is a number.
    fn number(&self, size: Geometry) -> Option<u32> {
        let extents = match size.kind {
            GeometryKind::BlockDim => &self.launch.block,
            GeometryKind::GlobalOffset => return Some(self.launch.global_offset[size.dim.index()]),
            GeometryKind::ThreadId
            | GeometryKind::BlockId
            | GeometryKind::GridDim
            | GeometryKind::WorkDim => &self.launch.grid,
        };
        match extents[size.dim.index()] {
            Extent::Number(number) => Some(number),
            Extent::Free => None,
        }
    }

    fn predicate(&self, builder: &mut FunctionBuilder<'_>, pred: &Expr, ty: Type) -> Value {
        match &pred.kind {
            ExprKind::Binary(op, a, b) if op.is_logical() => {
                let left = self.predicate(builder, a, ty);
                let right = self.predicate(builder, b, ty);
                match op {
                    BinaryOp::And => binary(builder, IrOp::And, left, right),
                    BinaryOp::Or => binary(builder, IrOp::Or, left, right),
                    BinaryOp::Add
                    | BinaryOp::Sub
                    | BinaryOp::Mul
                    | BinaryOp::Div
                    | BinaryOp::Rem
                    | BinaryOp::Shl
                    | BinaryOp::Shr
                    | BinaryOp::BitAnd
                    | BinaryOp::BitOr
                    | BinaryOp::BitXor
                    | BinaryOp::Eq
                    | BinaryOp::Ne
                    | BinaryOp::Lt
                    | BinaryOp::Le
                    | BinaryOp::Gt
                    | BinaryOp::Ge
                    | BinaryOp::Implies => {
                        let not = negated(builder, left);
                        binary(builder, IrOp::Or, not, right)
                    }
                }
            }
            ExprKind::Unary(_, arg) => {
                let value = self.predicate(builder, arg, ty);
                negated(builder, value)
            }
            ExprKind::IsPow2(arg) => {
                let value = self.integer(builder, arg, ty);
                let (zero, one) = (builder.int(0, ty), builder.int(1, ty));
                let positive = builder.compare(IntCc::Sgt, value, zero);
                let less = binary(builder, IrOp::Sub, value, one);
                let common = binary(builder, IrOp::And, value, less);
                let single = builder.compare(IntCc::Eq, common, zero);
                binary(builder, IrOp::And, positive, single)
            }
            ExprKind::Binary(op, a, b) => {
                let (left, right) = (self.integer(builder, a, ty), self.integer(builder, b, ty));
                let cc = match op {
                    BinaryOp::Eq => IntCc::Eq,
                    BinaryOp::Ne => IntCc::Ne,
                    BinaryOp::Lt => IntCc::Slt,
                    BinaryOp::Le => IntCc::Sle,
                    BinaryOp::Gt => IntCc::Sgt,
                    BinaryOp::Add
                    | BinaryOp::Sub
                    | BinaryOp::Mul
                    | BinaryOp::Div
                    | BinaryOp::Rem
                    | BinaryOp::Shl
                    | BinaryOp::Shr
                    | BinaryOp::BitAnd
                    | BinaryOp::BitOr
                    | BinaryOp::BitXor
                    | BinaryOp::Ge
                    | BinaryOp::And
                    | BinaryOp::Or
                    | BinaryOp::Implies => IntCc::Sge,
                };
                builder.compare(cc, left, right)
            }
            ExprKind::Int(_)
            | ExprKind::Float(..)
            | ExprKind::Name(_)
            | ExprKind::Threads
            | ExprKind::Index(..)
            | ExprKind::Call(..)
            | ExprKind::Conditional(..)
            | ExprKind::Cast(..)
            | ExprKind::Old(_)
            | ExprKind::Quantified(..)
            | ExprKind::Fold(..)
            | ExprKind::Pow2(_) => builder.int(1, Type::BOOL),
        }
    }

    fn integer(&self, builder: &mut FunctionBuilder<'_>, expr: &Expr, ty: Type) -> Value {
        match &expr.kind {
            ExprKind::Int(number) => builder.int(*number as u128, ty),
            ExprKind::Name(name) => match self.bound.names.get(name) {
                Some(named) => self.named(builder, *named, ty),
                None => builder.int(known_constant(name).unwrap_or(0) as u128, ty),
            },
            ExprKind::Threads => {
                let all = Dim::ALL.map(|dim| self.named(builder, Named::Along(dim), ty));
                let plane = binary(builder, IrOp::Mul, all[0], all[1]);
                binary(builder, IrOp::Mul, plane, all[2])
            }
            ExprKind::Unary(_, arg) => {
                let (zero, value) = (builder.int(0, ty), self.integer(builder, arg, ty));
                binary(builder, IrOp::Sub, zero, value)
            }
            ExprKind::Binary(op, a, b) => {
                let (left, right) = (self.integer(builder, a, ty), self.integer(builder, b, ty));
                let op = match op {
                    BinaryOp::Add => IrOp::Add,
                    BinaryOp::Sub => IrOp::Sub,
                    BinaryOp::Div => IrOp::SDiv,
                    BinaryOp::Rem => IrOp::SRem,
                    BinaryOp::Shl => IrOp::Shl,
                    BinaryOp::Shr => IrOp::AShr,
                    BinaryOp::BitAnd => IrOp::And,
                    BinaryOp::Mul
                    | BinaryOp::BitOr
                    | BinaryOp::BitXor
                    | BinaryOp::Eq
                    | BinaryOp::Ne
                    | BinaryOp::Lt
                    | BinaryOp::Le
                    | BinaryOp::Gt
                    | BinaryOp::Ge
                    | BinaryOp::And
                    | BinaryOp::Or
                    | BinaryOp::Implies => IrOp::Mul,
                };
                binary(builder, op, left, right)
            }
            ExprKind::Float(..)
            | ExprKind::Index(..)
            | ExprKind::Call(..)
            | ExprKind::Conditional(..)
            | ExprKind::Cast(..)
            | ExprKind::Old(_)
            | ExprKind::Quantified(..)
            | ExprKind::Fold(..)
            | ExprKind::Pow2(_)
            | ExprKind::IsPow2(_) => builder.int(0, ty),
        }
    }

    fn named(&self, builder: &mut FunctionBuilder<'_>, named: Named, ty: Type) -> Value {
        match named {
            Named::Argument(value, own) => {
                let op = if own.is_signed() { CastOp::SExt } else { CastOp::ZExt };
                widened(builder, op, value, ty)
            }
            Named::Constant(bits, own) => builder.int(signed(bits, own).unwrap_or(0) as u128, ty),
            Named::Size(size) => match self.number(size) {
                Some(number) => builder.int(u128::from(number), ty),
                None => {
                    let value = builder.value(InstData::Geometry(size));
                    widened(builder, CastOp::ZExt, value, ty)
                }
            },
            Named::Along(dim) => {
                let mut part = |kind| self.named(builder, Named::Size(Geometry { kind, dim }), ty);
                let (block, grid) = (part(GeometryKind::BlockDim), part(GeometryKind::GridDim));
                binary(builder, IrOp::Mul, block, grid)
            }
            Named::Id(_) | Named::GlobalId(_) | Named::Array(..) => builder.int(0, ty),
        }
    }
}

/// More factors have too many products.
const MOST_FACTORS: usize = 4;

/// The factors of a product of three or more, what it is limited by, and whether it is below
/// that.
pub fn bounded_product(pred: &Expr) -> Option<(Vec<&Expr>, &Expr, bool)> {
    let ExprKind::Binary(op, a, b) = &pred.kind else { return None };
    let (product, limit, is_strict) = match op {
        BinaryOp::Le => (a, b, false),
        BinaryOp::Lt => (a, b, true),
        BinaryOp::Ge => (b, a, false),
        BinaryOp::Gt => (b, a, true),
        BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Mul
        | BinaryOp::Div
        | BinaryOp::Rem
        | BinaryOp::Shl
        | BinaryOp::Shr
        | BinaryOp::BitAnd
        | BinaryOp::BitOr
        | BinaryOp::BitXor
        | BinaryOp::Eq
        | BinaryOp::Ne
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Implies => return None,
    };
    let mut factors = vec![];
    flatten(product, &mut factors);
    (3..=MOST_FACTORS).contains(&factors.len()).then_some((factors, &**limit, is_strict))
}

fn flatten<'e>(expr: &'e Expr, factors: &mut Vec<&'e Expr>) {
    if let ExprKind::Binary(BinaryOp::Mul, a, b) = &expr.kind {
        flatten(a, factors);
        flatten(b, factors);
    } else {
        factors.push(expr);
    }
}

/// The sets of two or more.
pub fn subsets<T: Copy>(all: &[T]) -> Vec<Vec<T>> {
    let sets = (1..1usize << all.len()).filter(|set| set.count_ones() >= 2);
    let members = |set: usize| {
        let is_in = |number: usize| set >> number & 1 == 1;
        all.iter().enumerate().filter(|one| is_in(one.0)).map(|one| *one.1).collect()
    };
    sets.map(members).collect()
}

/// Does one of the conjuncts say that the expression is at least 1?
fn is_positive(expr: &Expr, all: &[&Expr]) -> bool {
    let name = expr.to_string();
    let number =
        |side: &Expr| if let ExprKind::Int(number) = side.kind { Some(number) } else { None };
    all.iter().any(|one| {
        let ExprKind::Binary(op, a, b) = &one.kind else { return false };
        let (less, more, is_strict) = match op {
            BinaryOp::Lt => (a, b, true),
            BinaryOp::Le => (a, b, false),
            BinaryOp::Gt => (b, a, true),
            BinaryOp::Ge => (b, a, false),
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::Div
            | BinaryOp::Rem
            | BinaryOp::Shl
            | BinaryOp::Shr
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor
            | BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Implies => return false,
        };
        more.to_string() == name
            && number(less).is_some_and(|least| least >= i128::from(!is_strict))
    })
}

fn widened(builder: &mut FunctionBuilder<'_>, op: CastOp, value: Value, to: Type) -> Value {
    match builder.func.type_of(value) == to {
        true => value,
        false => builder.value(InstData::Cast { op, arg: value, to }),
    }
}

fn binary(builder: &mut FunctionBuilder<'_>, op: IrOp, a: Value, b: Value) -> Value {
    builder.value(InstData::Binary { op, nsw: false, args: [a, b] })
}

fn negated(builder: &mut FunctionBuilder<'_>, value: Value) -> Value {
    let one = builder.int(1, Type::BOOL);
    binary(builder, IrOp::Xor, value, one)
}

fn product((a, b): Range, (c, d): Range) -> Option<Range> {
    let all = [a.checked_mul(c)?, a.checked_mul(d)?, b.checked_mul(c)?, b.checked_mul(d)?];
    Some((*all.iter().min()?, *all.iter().max()?))
}

/// The largest that a free size can be: limits that the verdict assumes and prints.
pub fn most_of_size(launch: &LaunchSpec, size: Geometry) -> i128 {
    match size.kind {
        GeometryKind::BlockDim => i128::from(launch.most_threads),
        GeometryKind::ThreadId
        | GeometryKind::BlockId
        | GeometryKind::GridDim
        | GeometryKind::GlobalOffset
        | GeometryKind::WorkDim => i128::from(i32::MAX),
    }
}

/// The values of a type; none for floats.
pub fn range_of_type(ty: ScalarType) -> Option<Range> {
    let bits = 8 * ty.bytes();
    match (ty, ty.is_float()) {
        (_, true) => None,
        (ScalarType::Bool, _) => Some((0, 1)),
        _ if ty.is_signed() => Some((-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)),
        _ => Some((0, (1i128 << bits) - 1)),
    }
}

/// The number that bits of a type are.
pub fn signed(bits: u128, ty: ScalarType) -> Option<i128> {
    let width = 8 * ty.bytes();
    let (low, _) = range_of_type(ty)?;
    let cut = (bits & (u128::MAX >> (128 - width))) as i128;
    Some(if low < 0 && cut >= 1i128 << (width - 1) { cut - (1i128 << width) } else { cut })
}
