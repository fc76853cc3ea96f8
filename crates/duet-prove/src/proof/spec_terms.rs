//! Expressions of contracts as terms. Mathematical integers are bit-vectors that are wide
//! enough for every value that they can have, so nothing wraps; what does not fit 128 bits
//! cannot be stated.

use duet_analysis::Extent;
use duet_ir::{Array, BinaryOp as IrOp, CastOp, Dim, FloatCc, FloatType, GeometryKind, ScalarType};
use duet_ir::{Type as IrType, UnaryOp as IrUnary};
use duet_smt::{TermId, TermPool};
use duet_spec::{BinaryOp, Expr, ExprKind, Fold, UnaryOp, known_constant};
use duet_vc::{Walker, argument_name, binary_term, cast_term, float_compare_term, unary_term};

use crate::contract::{Bound, Named};
use crate::requires::{most_of_size, range_of_type, signed};

/// A value of a contract.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum SpecTerm {
    /// An integer: a term of 64 or 128 bits, and the values that it can have.
    Int(TermId, (i128, i128)),
    /// A float, as bits.
    Float(TermId, FloatType),
    /// A truth value.
    Bool(TermId),
    /// An array.
    Array(Array, ScalarType),
}

/// What cannot be stated, and why.
pub type Result<T> = std::result::Result<T, String>;

/// A cell that a contract reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell {
    /// The array.
    pub array: Array,
    /// The type of its elements.
    pub ty: ScalarType,
    /// The byte offset, of 64 bits.
    pub offset: TermId,
    /// Before the launch.
    pub initial: bool,
}

/// What reads cells.
pub type ReadCell<'r> = dyn FnMut(&mut Walker<'_>, Cell) -> Result<TermId> + 'r;

/// Makes terms of expressions.
pub struct Terms<'t, 'f> {
    /// The walks, whose symbols are used.
    pub walker: &'t mut Walker<'f>,
    /// The contract.
    pub bound: &'t Bound<'t>,
    /// Variables in scope.
    pub variables: Vec<(String, SpecTerm)>,
    /// Cells are the initial ones.
    pub initial: bool,
    /// The value of a cell.
    pub read: &'t mut ReadCell<'t>,
    /// Nested calls.
    pub depth: u32,
    /// What must be shown for the terms to say what the contract does.
    pub sides: &'t mut Vec<TermId>,
    /// Folds that occur, as symbols.
    pub folds: &'t mut Vec<FoldTerm>,
}

/// A sum of a contract: a symbol, and what it stands for.
#[derive(Clone, Debug)]
pub struct FoldTerm {
    /// The symbol, of the sum's width.
    pub symbol: TermId,
    /// Its variable, and the body.
    pub variable: String,
    /// The body.
    pub body: Expr,
    /// The first index and the one after the last, of 64 bits.
    pub from: TermId,
    /// The one after the last.
    pub to: TermId,
    /// The indices that occur.
    pub range: (i128, i128),
    /// The variables in scope.
    pub variables: Vec<(String, SpecTerm)>,
    /// The type of floats; integers are added in the width of the symbol.
    pub float: Option<FloatType>,
    /// What is made of the terms: a sum, a product, the least or the greatest.
    pub fold: Fold,
    /// What no term at all yields; for the least and the greatest a number that changes
    /// nothing.
    pub unit: TermId,
    /// Cells are the initial ones.
    pub initial: bool,
}

/// Does a sum or the like occur?
fn has_fold(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Fold(..)) || expr.children().into_iter().any(has_fold)
}

/// Does a division occur whose divisor is not a number other than zero? A function of
/// contracts may hide one.
fn has_division(expr: &Expr) -> bool {
    let own = match &expr.kind {
        ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, _, by) => {
            !matches!(by.kind, ExprKind::Int(number) if number != 0)
        }
        ExprKind::Call(..) => true,
        ExprKind::Int(_)
        | ExprKind::Float(..)
        | ExprKind::Name(_)
        | ExprKind::Threads
        | ExprKind::Index(..)
        | ExprKind::Unary(..)
        | ExprKind::Binary(..)
        | ExprKind::Conditional(..)
        | ExprKind::Cast(..)
        | ExprKind::Old(_)
        | ExprKind::Quantified(..)
        | ExprKind::Fold(..)
        | ExprKind::Pow2(_)
        | ExprKind::IsPow2(_) => false,
    };
    own || expr.children().into_iter().any(has_division)
}

/// All sums of terms with these values, as many as the range has at most.
fn all_sums((low, high): (i128, i128), range: (i128, i128)) -> Option<(i128, i128)> {
    let most = range.1.checked_sub(range.0)?.max(0);
    Some((low.min(0).checked_mul(most)?, high.max(0).checked_mul(most)?))
}

/// The least width that holds the values.
fn width_for((low, high): (i128, i128)) -> Result<u32> {
    let fits = |bits: u32| low >= -(1i128 << (bits - 1)) && high < 1i128 << (bits - 1);
    match () {
        () if fits(64) => Ok(64),
        () if fits(126) => Ok(128),
        () => Err("a number of the contract may be larger than 126 bits".to_string()),
    }
}

/// A term at a width that holds it.
fn at_width(pool: &mut TermPool, term: TermId, width: u32) -> TermId {
    pool.bits().sext_or_trunc(term, width)
}

fn float_type(ty: FloatType) -> IrType {
    IrType::Float(ty)
}

impl Terms<'_, '_> {
    /// A predicate.
    pub fn truth(&mut self, expr: &Expr) -> Result<TermId> {
        match self.term(expr)? {
            SpecTerm::Bool(term) => Ok(term),
            SpecTerm::Int(term, _) => {
                let pool = &mut self.walker.pool;
                let zero = pool.bv(pool.width(term), 0);
                Ok(pool.ne(term, zero))
            }
            SpecTerm::Float(..) | SpecTerm::Array(..) => Err("a condition is a number".into()),
        }
    }

    /// An integer.
    pub fn integer(&mut self, expr: &Expr) -> Result<(TermId, (i128, i128))> {
        match self.term(expr)? {
            SpecTerm::Int(term, range) => Ok((term, range)),
            SpecTerm::Bool(term) => {
                let pool = &mut self.walker.pool;
                let (one, zero) = (pool.bv(64, 1), pool.bv(64, 0));
                Ok((pool.ite(term, one, zero), (0, 1)))
            }
            SpecTerm::Float(..) | SpecTerm::Array(..) => Err("an integer is expected".into()),
        }
    }

    /// An expression.
    pub fn term(&mut self, expr: &Expr) -> Result<SpecTerm> {
        match &expr.kind {
            ExprKind::Int(number) => self.number(*number),
            ExprKind::Float(number, single) => {
                let pool = &mut self.walker.pool;
                Ok(match single {
                    true => {
                        let bits = u128::from((*number as f32).to_bits());
                        SpecTerm::Float(pool.bv(32, bits), FloatType::F32)
                    }
                    false => {
                        let bits = u128::from(number.to_bits());
                        SpecTerm::Float(pool.bv(64, bits), FloatType::F64)
                    }
                })
            }
            ExprKind::Name(name) => self.name(name),
            ExprKind::Threads => {
                let all = Dim::ALL.map(|dim| self.named(Named::Along(dim)));
                let [x, y, z] = all;
                let plane = self.binary(BinaryOp::Mul, x?, y?)?;
                self.binary(BinaryOp::Mul, plane, z?)
            }
            ExprKind::Index(array, index) => {
                let SpecTerm::Array(array, ty) = self.term(array)? else {
                    return Err("this is no array".into());
                };
                let offset = self.offset(index, ty)?;
                let cell = Cell { array, ty, offset, initial: self.initial };
                let bits = (self.read)(self.walker, cell)?;
                self.of_bits(bits, ty)
            }
            ExprKind::Call(name, args) => self.call(name, args),
            ExprKind::Unary(op, arg) => self.unary(*op, arg),
            ExprKind::Binary(op, a, b) if op.is_logical() => {
                let (left, right) = (self.truth(a)?, self.truth(b)?);
                let pool = &mut self.walker.pool;
                Ok(SpecTerm::Bool(match op {
                    BinaryOp::And => pool.and2(left, right),
                    BinaryOp::Or => pool.or2(left, right),
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
                    | BinaryOp::Implies => pool.implies(left, right),
                }))
            }
            ExprKind::Binary(op, a, b) => {
                let (left, right) = (self.term(a)?, self.term(b)?);
                self.binary(*op, left, right)
            }
            ExprKind::Conditional(cond, a, b) => {
                let cond = self.truth(cond)?;
                let (then, otherwise) = (self.term(a)?, self.term(b)?);
                self.choose(cond, then, otherwise)
            }
            // A conversion to a type of w bits is that of the number modulo 2^w, so the number
            // itself need not be stated.
            ExprKind::Cast(ty, arg) if !ty.is_float() && has_fold(arg) => {
                let bits = self.modular(arg, *ty)?;
                self.of_bits(bits, *ty)
            }
            ExprKind::Cast(ty, arg) => {
                let value = self.term(arg)?;
                self.cast(value, *ty)
            }
            ExprKind::Old(arg) => {
                let before = std::mem::replace(&mut self.initial, true);
                let value = self.term(arg);
                self.initial = before;
                value
            }
            ExprKind::IsPow2(arg) => {
                let (term, _) = self.integer(arg)?;
                let pool = &mut self.walker.pool;
                let width = pool.width(term);
                let (zero, one) = (pool.bv(width, 0), pool.bv(width, 1));
                let less = pool.bits().sub(term, one);
                let common = pool.bits().and(term, less);
                let single = pool.eq(common, zero);
                let positive = pool.compare().slt(zero, term);
                Ok(SpecTerm::Bool(pool.and2(positive, single)))
            }
            ExprKind::Quantified(..) => Err("a quantifier inside of another".into()),
            ExprKind::Fold(..) => self.fold(expr, None),
            ExprKind::Pow2(_) => Err("`\\pow2` is not covered by proofs yet".into()),
        }
    }

    /// An integer modulo 2^w, w the width of a type: sums, differences and products of it are
    /// those of their operands modulo 2^w.
    fn modular(&mut self, expr: &Expr, ty: ScalarType) -> Result<TermId> {
        let width = 8 * ty.bytes();
        match &expr.kind {
            ExprKind::Fold(..) => match self.fold(expr, Some(ty))? {
                SpecTerm::Int(term, _) => Ok(self.walker.pool.bits().sext_or_trunc(term, width)),
                SpecTerm::Float(..) | SpecTerm::Bool(_) | SpecTerm::Array(..) => {
                    Err("a conversion from float to integer is not covered yet".into())
                }
            },
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), a, b)
                if has_fold(expr) =>
            {
                let (a, b) = (self.modular(a, ty)?, self.modular(b, ty)?);
                let pool = &mut self.walker.pool;
                Ok(match op {
                    BinaryOp::Add => pool.bits().add(a, b),
                    BinaryOp::Sub => pool.bits().sub(a, b),
                    BinaryOp::Mul
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
                    | BinaryOp::And
                    | BinaryOp::Or
                    | BinaryOp::Implies => pool.bits().mul(a, b),
                })
            }
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
            | ExprKind::Pow2(_)
            | ExprKind::IsPow2(_) => {
                let (term, _) = self.integer(expr)?;
                Ok(self.walker.pool.bits().sext_or_trunc(term, width))
            }
        }
    }

    /// A sum or a count: of floats, or of integers modulo a power of two.
    fn fold(&mut self, expr: &Expr, cast: Option<ScalarType>) -> Result<SpecTerm> {
        let (fold, binder, from, to, body) = match &expr.kind {
            ExprKind::Fold(
                fold @ (Fold::Sum | Fold::Prod | Fold::Min | Fold::Max),
                binder,
                from,
                to,
                body,
            ) => (*fold, binder, from, to, (**body).clone()),
            ExprKind::Fold(Fold::Count, binder, from, to, pred) => {
                let number =
                    |number| Box::new(Expr { kind: ExprKind::Int(number), span: expr.span });
                let kind = ExprKind::Conditional(pred.clone(), number(1), number(0));
                (Fold::Sum, binder, from, to, Expr { kind, span: pred.span })
            }
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
            | ExprKind::Pow2(_)
            | ExprKind::IsPow2(_) => {
                return Err("this is no fold".into());
            }
        };
        // SOUNDNESS: the body is a function of the index; a division that may be by zero would
        // be another unknown at each mention (test `division_in_a_sum_is_not_stated`).
        if has_fold(&body) {
            return Err("a sum within a sum is not covered by proofs yet".into());
        }
        if has_division(&body) {
            return Err("a division in a sum is covered only by a number other than 0".into());
        }
        let ((from, low), (to, high)) = (self.integer(from)?, self.integer(to)?);
        let range = (low.0, high.1);
        let is_small = |one: i128| one.abs() < 1 << 61;
        if ![low.0, low.1, high.0, high.1].into_iter().all(is_small) {
            return Err("the range of a sum may be too large".into());
        }
        let pool = &mut self.walker.pool;
        let (from, to) = (at_width(pool, from, 64), at_width(pool, to, 64));
        // The type of the body, at some index.
        let index = pool.fresh(&binder.name, duet_smt::Sort::BitVec(64));
        self.variables.push((binder.name.clone(), SpecTerm::Int(index, range)));
        let sides = self.sides.len();
        let sample = self.term(&body);
        // Only the type of it is used.
        self.sides.truncate(sides);
        self.variables.pop();
        let is_choice = matches!(fold, Fold::Min | Fold::Max);
        let mut values = (0, 0);
        let (width, float) = match (sample?, cast) {
            (SpecTerm::Float(_, FloatType::F32), None) => (32, Some(FloatType::F32)),
            (SpecTerm::Float(_, FloatType::F64), None) => (64, Some(FloatType::F64)),
            (SpecTerm::Int(_, own), _) if is_choice => {
                values = own;
                let is_int = own.0 >= i128::from(i32::MIN) && own.1 <= i128::from(i32::MAX);
                (if is_int { 32 } else { width_for(own)? }, None)
            }
            (SpecTerm::Int(..), Some(ty)) => (8 * ty.bytes(), None),
            // SOUNDNESS: of mathematical integers only if the width holds every sum of so many
            // terms (kernels/prove/sum-of-integers-wrong).
            (SpecTerm::Int(_, own), None) if fold == Fold::Sum => {
                values = all_sums(own, range).ok_or(
                    "a sum of integers may be too large here: state it as `(int)\\sum(…)`",
                )?;
                (width_for(values)?, None)
            }
            _ => {
                return Err(
                    "a product of integers is covered only modulo 2^w, as `(int)\\prod(…)`".into(),
                );
            }
        };
        let pool = &mut self.walker.pool;
        let symbol = pool.fresh("sum", duet_smt::Sort::BitVec(width));
        let one = match float {
            Some(FloatType::F64) => u128::from(1f64.to_bits()),
            Some(FloatType::F16 | FloatType::BF16 | FloatType::F32) => u128::from(1f32.to_bits()),
            None => 1,
        };
        let unit = match fold {
            Fold::Sum | Fold::Count => pool.bv(width, 0),
            Fold::Prod => pool.bv(width, one),
            Fold::Min => pool.bv(width, values.1 as u128),
            Fold::Max => pool.bv(width, values.0 as u128),
        };
        self.folds.push(FoldTerm {
            symbol,
            variable: binder.name.clone(),
            body,
            from,
            to,
            range,
            variables: self.variables.clone(),
            float,
            fold,
            unit,
            initial: self.initial,
        });
        match (float, cast) {
            (Some(ty), _) => Ok(SpecTerm::Float(symbol, ty)),
            (None, Some(ty)) if !is_choice => self.of_bits(symbol, ty),
            (None, _) => {
                let term = at_width(&mut self.walker.pool, symbol, width.max(64));
                Ok(SpecTerm::Int(term, values))
            }
        }
    }

    /// The byte offset of an element.
    pub fn offset(&mut self, index: &Expr, ty: ScalarType) -> Result<TermId> {
        let (index, (low, high)) = self.integer(index)?;
        let size = i128::from(ty.bytes());
        let pool = &mut self.walker.pool;
        let fits = low > -(1i128 << 60) && high < 1i128 << 60;
        if !fits {
            // SOUNDNESS: offsets are exact only then, so it has to be shown
            // (test `indices_must_be_small`).
            let width = pool.width(index);
            let (least, most) = (pool.bv(width, (-(1i128 << 59)) as u128), pool.bv(width, 1 << 59));
            self.sides.push(pool.compare().sle(least, index));
            self.sides.push(pool.compare().sle(index, most));
        }
        let (index, bytes) = (at_width(pool, index, 64), pool.bv(64, size as u128));
        Ok(pool.bits().mul(index, bytes))
    }

    fn number(&mut self, number: i128) -> Result<SpecTerm> {
        let width = width_for((number, number))?;
        Ok(SpecTerm::Int(self.walker.pool.bv(width, number as u128), (number, number)))
    }

    fn name(&mut self, name: &str) -> Result<SpecTerm> {
        if let Some((_, value)) = self.variables.iter().rev().find(|(own, _)| own == name) {
            return Ok(*value);
        }
        if let Some(named) = self.bound.names.get(name) {
            return self.named(*named);
        }
        if let Some((_, ty)) = self.bound.ghosts().into_iter().find(|one| one.0 == name) {
            // SOUNDNESS: a clause is to be shown for every value that the preconditions leave,
            // so nothing is known of the symbol but its type (kernels/prove/ghost-wrong).
            let symbol = self.walker.pool.bv_var(&format!("ghost:{name}"), 8 * ty.bytes());
            return self.of_bits(symbol, ty);
        }
        match known_constant(name) {
            Some(number) => self.number(number),
            None => Err(format!("`{name}` is not covered by proofs yet")),
        }
    }

    fn named(&mut self, named: Named) -> Result<SpecTerm> {
        match named {
            Named::Argument(value, ty) => {
                let func = self.walker.facts.func;
                let name = argument_name(func, value);
                let Some(width) = func.type_of(value).bits().filter(|width| *width > 1) else {
                    return Err("truth values as arguments are not covered by proofs yet".into());
                };
                let symbol = self.walker.pool.bv_var(&name, width);
                match width == 8 * ty.bytes() {
                    true => self.of_bits(symbol, ty),
                    false => Err("an argument has another width than its type".into()),
                }
            }
            Named::Constant(bits, ty) if !ty.is_float() => {
                self.number(signed(bits, ty).unwrap_or(0))
            }
            Named::Constant(bits, ty) => {
                let term = self.walker.pool.bv(8 * ty.bytes(), bits);
                self.of_bits(term, ty)
            }
            Named::Size(size) => {
                let launch = &self.walker.premises.launch;
                let (term, extent) = match size.kind {
                    GeometryKind::BlockDim => (self.walker.geometry.block, &launch.block),
                    GeometryKind::ThreadId
                    | GeometryKind::BlockId
                    | GeometryKind::GridDim
                    | GeometryKind::GlobalOffset
                    | GeometryKind::WorkDim => (self.walker.geometry.grid, &launch.grid),
                };
                match extent[size.dim.index()] {
                    Extent::Number(number) => self.number(i128::from(number)),
                    Extent::Free => {
                        let term = term[size.dim.index()];
                        let most = most_of_size(launch, size);
                        let wide = self.walker.pool.bits().zero_extend(32, term);
                        Ok(SpecTerm::Int(wide, (0, most)))
                    }
                }
            }
            Named::Along(dim) => {
                let size = |kind| Named::Size(duet_ir::Geometry { kind, dim });
                let block = self.named(size(GeometryKind::BlockDim))?;
                let grid = self.named(size(GeometryKind::GridDim))?;
                self.binary(BinaryOp::Mul, block, grid)
            }
            Named::Array(array, ty) => Ok(SpecTerm::Array(array, ty)),
        }
    }

    /// Bits of a type of C.
    fn of_bits(&mut self, bits: TermId, ty: ScalarType) -> Result<SpecTerm> {
        match ty {
            ScalarType::Float => Ok(SpecTerm::Float(bits, FloatType::F32)),
            ScalarType::Double => Ok(SpecTerm::Float(bits, FloatType::F64)),
            ScalarType::Half => Err("half is not supported".into()),
            ScalarType::Bool => Err("arrays of bool are not covered by proofs yet".into()),
            ScalarType::Char
            | ScalarType::UChar
            | ScalarType::Short
            | ScalarType::UShort
            | ScalarType::Int
            | ScalarType::UInt
            | ScalarType::Long
            | ScalarType::ULong => {
                let range = range_of_type(ty).ok_or("an integer type is expected")?;
                let width = width_for(range)?;
                let pool = &mut self.walker.pool;
                let wide = match ty.is_signed() {
                    true => pool.bits().sext_or_trunc(bits, width),
                    false => pool.bits().zext_or_trunc(bits, width),
                };
                Ok(SpecTerm::Int(wide, range))
            }
        }
    }

    fn call(&mut self, name: &str, args: &[Expr]) -> Result<SpecTerm> {
        let logic = self.bound.logic();
        let Some(logic) = logic.get(name) else {
            return Err(format!("`{name}` is no function of contracts"));
        };
        if self.depth > 8 {
            return Err(format!("`{name}` calls itself, which proofs do not cover yet"));
        }
        let mut values = vec![];
        for (param, arg) in logic.params.iter().zip(args) {
            let value = self.term(arg)?;
            let value = match param.ty {
                duet_spec::Type::Float => self.cast(value, ScalarType::Float)?,
                duet_spec::Type::Double => self.cast(value, ScalarType::Double)?,
                duet_spec::Type::Bool | duet_spec::Type::Int | duet_spec::Type::Array(_) => value,
            };
            values.push((param.name.clone(), value));
        }
        let outer = std::mem::replace(&mut self.variables, values);
        self.depth += 1;
        let value = self.term(&logic.body);
        self.depth -= 1;
        self.variables = outer;
        match logic.result {
            duet_spec::Type::Float => self.cast(value?, ScalarType::Float),
            duet_spec::Type::Double => self.cast(value?, ScalarType::Double),
            duet_spec::Type::Bool | duet_spec::Type::Int | duet_spec::Type::Array(_) => value,
        }
    }

    fn unary(&mut self, op: UnaryOp, arg: &Expr) -> Result<SpecTerm> {
        if op == UnaryOp::Not {
            let truth = self.truth(arg)?;
            return Ok(SpecTerm::Bool(self.walker.pool.not(truth)));
        }
        match (op, self.term(arg)?) {
            (UnaryOp::Minus, SpecTerm::Float(term, ty)) => {
                let term = unary_term(&mut self.walker.pool, IrUnary::FNeg, term, float_type(ty));
                Ok(SpecTerm::Float(term, ty))
            }
            (UnaryOp::Minus, value) => {
                let zero = self.number(0)?;
                self.binary(BinaryOp::Sub, zero, value)
            }
            (_, SpecTerm::Int(term, (low, high))) => {
                Ok(SpecTerm::Int(self.walker.pool.bits().not(term), (!high, !low)))
            }
            _ => Err("`~` is for integers".into()),
        }
    }

    fn binary(&mut self, op: BinaryOp, a: SpecTerm, b: SpecTerm) -> Result<SpecTerm> {
        match (a, b) {
            (SpecTerm::Array(..), _) | (_, SpecTerm::Array(..)) => {
                Err("an array is no number".into())
            }
            (SpecTerm::Float(_, FloatType::F64), _) | (_, SpecTerm::Float(_, FloatType::F64)) => {
                self.floats(op, a, b, ScalarType::Double)
            }
            (SpecTerm::Float(..), _) | (_, SpecTerm::Float(..)) => {
                self.floats(op, a, b, ScalarType::Float)
            }
            _ => {
                let (a, b) = (self.as_int(a), self.as_int(b));
                self.integers(op, a, b)
            }
        }
    }

    fn as_int(&mut self, value: SpecTerm) -> (TermId, (i128, i128)) {
        let pool = &mut self.walker.pool;
        match value {
            SpecTerm::Int(term, range) => (term, range),
            SpecTerm::Bool(term) => {
                let (one, zero) = (pool.bv(64, 1), pool.bv(64, 0));
                (pool.ite(term, one, zero), (0, 1))
            }
            SpecTerm::Float(term, _) => (term, (0, 0)),
            SpecTerm::Array(..) => (pool.bv(64, 0), (0, 0)),
        }
    }

    /// Both sides of an equation, converted as C does.
    pub fn alike(&mut self, a: SpecTerm, b: SpecTerm) -> Result<(SpecTerm, SpecTerm)> {
        let is = |ty| {
            matches!(a, SpecTerm::Float(_, own) if own == ty)
                || matches!(b, SpecTerm::Float(_, own) if own == ty)
        };
        let ty = match () {
            () if is(FloatType::F64) => ScalarType::Double,
            () if is(FloatType::F32) => ScalarType::Float,
            () => return Ok((a, b)),
        };
        Ok((self.cast(a, ty)?, self.cast(b, ty)?))
    }

    fn floats(
        &mut self,
        op: BinaryOp,
        a: SpecTerm,
        b: SpecTerm,
        ty: ScalarType,
    ) -> Result<SpecTerm> {
        let (SpecTerm::Float(x, own), SpecTerm::Float(y, _)) =
            (self.cast(a, ty)?, self.cast(b, ty)?)
        else {
            return Err("a float is expected".into());
        };
        let pool = &mut self.walker.pool;
        let mut compared = |cc| Ok(SpecTerm::Bool(float_compare_term(pool, cc, x, y)));
        let op = match op {
            BinaryOp::Add => IrOp::FAdd,
            BinaryOp::Sub => IrOp::FSub,
            BinaryOp::Mul => IrOp::FMul,
            BinaryOp::Div => IrOp::FDiv,
            BinaryOp::Lt => return compared(FloatCc::Olt),
            BinaryOp::Le => return compared(FloatCc::Ole),
            BinaryOp::Gt => return compared(FloatCc::Ogt),
            BinaryOp::Ge => return compared(FloatCc::Oge),
            // SOUNDNESS: equality of bits is equality of terms only where it is to be shown;
            // as a hypothesis any NaN equals any NaN (test `floats_are_equal_only_as_goals`).
            BinaryOp::Rem
            | BinaryOp::Shl
            | BinaryOp::Shr
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor
            | BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Implies => {
                return Err("equality of floats is covered only as what is ensured".into());
            }
        };
        Ok(SpecTerm::Float(binary_term(pool, op, x, y, float_type(own)), own))
    }

    fn integers(
        &mut self,
        op: BinaryOp,
        (a, (a_low, a_high)): (TermId, (i128, i128)),
        (b, (b_low, b_high)): (TermId, (i128, i128)),
    ) -> Result<SpecTerm> {
        let range = integer_range(op, (a_low, a_high), (b_low, b_high))
            .ok_or("a number of the contract may be too large")?;
        let width = [range, (a_low, a_high), (b_low, b_high)]
            .into_iter()
            .map(width_for)
            .collect::<Result<Vec<u32>>>()?
            .into_iter()
            .max()
            .unwrap_or(64);
        let pool = &mut self.walker.pool;
        let (a, b) = (at_width(pool, a, width), at_width(pool, b, width));
        let term = match op {
            BinaryOp::Add => pool.bits().add(a, b),
            BinaryOp::Sub => pool.bits().sub(a, b),
            BinaryOp::Mul => pool.bits().mul(a, b),
            BinaryOp::BitAnd => pool.bits().and(a, b),
            BinaryOp::BitOr => pool.bits().or(a, b),
            BinaryOp::BitXor => pool.bits().xor(a, b),
            BinaryOp::Div | BinaryOp::Rem => {
                let quotient = match op {
                    BinaryOp::Div => pool.bits().sdiv(a, b),
                    BinaryOp::Add
                    | BinaryOp::Sub
                    | BinaryOp::Mul
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
                    | BinaryOp::Implies => pool.bits().srem(a, b),
                };
                // SOUNDNESS: spec and code get unrelated values for a division by zero
                // (test `division_by_zero_is_unknown`).
                let zero = pool.bv(width, 0);
                let unknown = pool.fresh("spec.undefined", duet_smt::Sort::BitVec(width));
                let is_zero = pool.eq(b, zero);
                pool.ite(is_zero, unknown, quotient)
            }
            BinaryOp::Shr => pool.bits().ashr(a, b),
            BinaryOp::Shl => pool.bits().shl(a, b),
            BinaryOp::Eq => return Ok(SpecTerm::Bool(pool.eq(a, b))),
            BinaryOp::Ne => return Ok(SpecTerm::Bool(pool.ne(a, b))),
            BinaryOp::Lt => return Ok(SpecTerm::Bool(pool.compare().slt(a, b))),
            BinaryOp::Le => return Ok(SpecTerm::Bool(pool.compare().sle(a, b))),
            BinaryOp::Gt => return Ok(SpecTerm::Bool(pool.compare().slt(b, a))),
            BinaryOp::Ge => return Ok(SpecTerm::Bool(pool.compare().sle(b, a))),
            BinaryOp::And | BinaryOp::Or | BinaryOp::Implies => {
                return Err("a condition is no number".into());
            }
        };
        Ok(SpecTerm::Int(term, range))
    }

    fn choose(&mut self, cond: TermId, a: SpecTerm, b: SpecTerm) -> Result<SpecTerm> {
        let pool = &mut self.walker.pool;
        match (a, b) {
            (SpecTerm::Bool(a), SpecTerm::Bool(b)) => Ok(SpecTerm::Bool(pool.ite(cond, a, b))),
            (SpecTerm::Float(_, x), _) | (_, SpecTerm::Float(_, x)) => {
                let double = matches!(a, SpecTerm::Float(_, FloatType::F64))
                    || matches!(b, SpecTerm::Float(_, FloatType::F64));
                let ty = if double { ScalarType::Double } else { ScalarType::Float };
                match (self.cast(a, ty)?, self.cast(b, ty)?) {
                    (SpecTerm::Float(a, own), SpecTerm::Float(b, _)) => {
                        Ok(SpecTerm::Float(self.walker.pool.ite(cond, a, b), own))
                    }
                    _ => Err(format!("a float {x:?} is expected")),
                }
            }
            _ => {
                let ((a, x), (b, y)) = (self.as_int(a), self.as_int(b));
                let range = (x.0.min(y.0), x.1.max(y.1));
                let width = width_for(range)?;
                let pool = &mut self.walker.pool;
                let (a, b) = (at_width(pool, a, width), at_width(pool, b, width));
                Ok(SpecTerm::Int(pool.ite(cond, a, b), range))
            }
        }
    }

    /// A float that is a number.
    fn float_number(&mut self, number: f64, ty: FloatType) -> SpecTerm {
        let pool = &mut self.walker.pool;
        let (width, bits) = match ty {
            FloatType::F64 => (64, u128::from(number.to_bits())),
            FloatType::F32 | FloatType::F16 | FloatType::BF16 => {
                (32, u128::from((number as f32).to_bits()))
            }
        };
        SpecTerm::Float(pool.bv(width, bits), ty)
    }

    /// A conversion of C.
    fn cast(&mut self, value: SpecTerm, to: ScalarType) -> Result<SpecTerm> {
        let target = match to {
            ScalarType::Float => FloatType::F32,
            ScalarType::Double => FloatType::F64,
            ScalarType::Half | ScalarType::Bool => {
                return Err("this conversion is not covered".into());
            }
            ScalarType::Char
            | ScalarType::UChar
            | ScalarType::Short
            | ScalarType::UShort
            | ScalarType::Int
            | ScalarType::UInt
            | ScalarType::Long
            | ScalarType::ULong => {
                let pool = &mut self.walker.pool;
                let width = 8 * to.bytes();
                let bits = match value {
                    SpecTerm::Int(term, _) => pool.bits().sext_or_trunc(term, width),
                    SpecTerm::Bool(term) => {
                        let (one, zero) = (pool.bv(width, 1), pool.bv(width, 0));
                        pool.ite(term, one, zero)
                    }
                    // The code's own conversion, of which nothing more is known.
                    SpecTerm::Float(term, own) => {
                        let op = if to.is_signed() { CastOp::FToS } else { CastOp::FToU };
                        let ty = IrType::Int(width as u8);
                        cast_term(pool, op, term, float_type(own), ty)
                    }
                    SpecTerm::Array(..) => return Err("this conversion is not covered".into()),
                };
                return self.of_bits(bits, to);
            }
        };
        match value {
            SpecTerm::Float(term, own) if own == target => Ok(SpecTerm::Float(term, own)),
            SpecTerm::Float(term, own) => {
                // Compilers convert numbers of the source, rounding to the nearest.
                if let Some(bits) = self.walker.pool.as_bv(term) {
                    let number = match own {
                        FloatType::F32 => f64::from(f32::from_bits(bits as u32)),
                        FloatType::F64 => f64::from_bits(bits as u64),
                        FloatType::F16 | FloatType::BF16 => {
                            return Err("half is not supported".into());
                        }
                    };
                    return Ok(self.float_number(number, target));
                }
                let op = if target == FloatType::F64 { CastOp::FExt } else { CastOp::FTrunc };
                let (from, to) = (float_type(own), float_type(target));
                let term = cast_term(&mut self.walker.pool, op, term, from, to);
                Ok(SpecTerm::Float(term, target))
            }
            SpecTerm::Int(_, (low, high)) if low == high => {
                let pool = &mut self.walker.pool;
                let bits = match target {
                    FloatType::F32 | FloatType::F16 | FloatType::BF16 => {
                        u128::from((low as f32).to_bits())
                    }
                    FloatType::F64 => u128::from((low as f64).to_bits()),
                };
                let width = if target == FloatType::F64 { 64 } else { 32 };
                Ok(SpecTerm::Float(pool.bv(width, bits), target))
            }
            SpecTerm::Int(term, (low, high)) => {
                let Some((op, width)) = conversion_from((low, high)) else {
                    return Err("a conversion of this integer to float is not covered yet".into());
                };
                let pool = &mut self.walker.pool;
                let narrow = pool.bits().sext_or_trunc(term, width);
                let (from, to) = (IrType::Int(width as u8), float_type(target));
                let term = cast_term(pool, op, narrow, from, to);
                Ok(SpecTerm::Float(term, target))
            }
            SpecTerm::Bool(_) | SpecTerm::Array(..) => Err("this conversion is not covered".into()),
        }
    }
}

/// The code's own conversion to float of an integer with these values: of the type that has
/// exactly them, else of the smallest that holds them. All conversions of one value agree, so
/// which one is stated is a guess that costs only completeness.
fn conversion_from((low, high): (i128, i128)) -> Option<(CastOp, u32)> {
    let signed = |bits: u32| (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1);
    let natural = |bits: u32| (0, (1i128 << bits) - 1);
    for bits in [8, 16] {
        if (low, high) == natural(bits) {
            return Some((CastOp::UToF, bits));
        }
        if (low, high) == signed(bits) {
            return Some((CastOp::SToF, bits));
        }
    }
    let within = |(least, most): (i128, i128)| low >= least && high <= most;
    for bits in [32, 64] {
        if within(signed(bits)) {
            return Some((CastOp::SToF, bits));
        }
        if within(natural(bits)) {
            return Some((CastOp::UToF, bits));
        }
    }
    None
}

fn integer_range(op: BinaryOp, (a, b): (i128, i128), (c, d): (i128, i128)) -> Option<(i128, i128)> {
    let corners = |f: fn(i128, i128) -> Option<i128>| {
        let all = [f(a, c)?, f(a, d)?, f(b, c)?, f(b, d)?];
        Some((*all.iter().min()?, *all.iter().max()?))
    };
    let widest = a.abs().max(b.abs());
    match op {
        BinaryOp::Add => corners(i128::checked_add),
        BinaryOp::Sub => corners(i128::checked_sub),
        BinaryOp::Mul => corners(i128::checked_mul),
        BinaryOp::Div | BinaryOp::Rem => Some((-widest, widest)),
        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => {
            let bound = widest.max(c.abs()).max(d.abs());
            let bits = 128 - bound.leading_zeros();
            (bits < 120).then(|| (-(1i128 << bits), (1i128 << bits) - 1))
        }
        BinaryOp::Shl => {
            (c >= 0 && d < 64 && widest < 1 << 60).then(|| (-(widest << d), widest << d))
        }
        BinaryOp::Shr => (c >= 0 && d < 64).then_some((a.min(0), b.max(0))),
        BinaryOp::Eq
        | BinaryOp::Ne
        | BinaryOp::Lt
        | BinaryOp::Le
        | BinaryOp::Gt
        | BinaryOp::Ge
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Implies => Some((0, 1)),
    }
}
