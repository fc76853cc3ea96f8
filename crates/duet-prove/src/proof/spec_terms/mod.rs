//! Expressions of contracts as terms. Mathematical integers are bit-vectors that are wide
//! enough for every value that they can have, so nothing wraps; what does not fit 128 bits
//! cannot be stated.

mod library;
mod numbers;
mod products;
mod recursion;
mod sums;

use std::collections::BTreeMap;

use duet_analysis::Extent;
use duet_ir::{Array, Dim, FloatType, GeometryKind, ScalarType, UnaryOp as IrUnary};
use duet_smt::{FuncId, TermId};
use duet_spec::{BinaryOp, Expr, ExprKind, Fold, Logic, UnaryOp, known_constant};
use duet_vc::{Walker, argument_name, unary_term};

use self::numbers::{at_width, float_type, width_for};
pub use self::products::products_of_some;
pub use self::recursion::{Recursion, falling, is_recursive};
pub use self::sums::{has_division, has_fold};
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
    /// Is an index being made? Its products are kept to 64 bits.
    pub in_index: bool,
    /// What must be shown for the terms to say what the contract does.
    pub sides: &'t mut Vec<TermId>,
    /// Folds that occur, as symbols.
    pub folds: &'t mut Vec<FoldTerm>,
    /// Functions that call themselves, as unknown functions.
    pub recursions: &'t mut BTreeMap<FuncId, Recursion>,
    /// The function whose body is being made, if it calls itself.
    pub inside: Option<Recursion>,
    /// Only initial contents may be read.
    pub frozen: bool,
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
                // SOUNDNESS: the unknown function does not depend on the state
                // (kernels/prove/traps/63-function-of-a-state).
                let is_fixed = self.initial || self.walker.facts.uses.is_never_written(array);
                if self.frozen && !is_fixed {
                    let why = "a function that calls itself reads initial contents only: `\\old`";
                    return Err(why.into());
                }
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
            ExprKind::Cast(ty, arg) if !ty.is_float() && self.is_unbounded(arg) => {
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
            ExprKind::Pow2(arg) => self.power(arg),
        }
    }

    /// The byte offset of an element.
    pub fn offset(&mut self, index: &Expr, ty: ScalarType) -> Result<TermId> {
        let around = std::mem::replace(&mut self.in_index, true);
        let made = self.integer(index);
        self.in_index = around;
        let (index, (low, high)) = made?;
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

    /// What a name of the contract stands for.
    pub fn named(&mut self, named: Named) -> Result<SpecTerm> {
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
                    GeometryKind::GlobalOffset => {
                        let offset = launch.global_offset[size.dim.index()];
                        return self.number(i128::from(offset));
                    }
                    GeometryKind::ThreadId
                    | GeometryKind::BlockId
                    | GeometryKind::GridDim
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
            Named::Id(_) | Named::GlobalId(_) => Err("only `writer` speaks of ids".into()),
        }
    }

    /// Bits of a type of C.
    pub fn of_bits(&mut self, bits: TermId, ty: ScalarType) -> Result<SpecTerm> {
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
        let Some(&logic) = logic.get(name) else {
            return self.library_call(name, args);
        };
        let values = self.arguments(logic, args)?;
        if let Some(inner) = self.inner_call(name, &values, None) {
            return inner;
        }
        if is_recursive(logic) {
            return self.recursive_call(logic, values, None);
        }
        let value = self.in_body(logic, values, |terms| terms.term(&logic.body))?;
        match logic.result {
            duet_spec::Type::Float => self.cast(value, ScalarType::Float),
            duet_spec::Type::Double => self.cast(value, ScalarType::Double),
            duet_spec::Type::Bool | duet_spec::Type::Int | duet_spec::Type::Array(_) => Ok(value),
        }
    }

    /// The arguments of a call, converted as its parameters say.
    fn arguments(&mut self, logic: &Logic, args: &[Expr]) -> Result<Vec<SpecTerm>> {
        let mut values = vec![];
        for (param, arg) in logic.params.iter().zip(args) {
            let value = self.term(arg)?;
            values.push(match param.ty {
                duet_spec::Type::Float => self.cast(value, ScalarType::Float)?,
                duet_spec::Type::Double => self.cast(value, ScalarType::Double)?,
                duet_spec::Type::Bool | duet_spec::Type::Int | duet_spec::Type::Array(_) => value,
            });
        }
        Ok(values)
    }

    /// Something of a function's body, where its parameters are these.
    fn in_body<T>(
        &mut self,
        logic: &Logic,
        values: Vec<SpecTerm>,
        make: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        if self.depth > 8 {
            return Err(format!("functions call each other: `{}`", logic.name));
        }
        let names = logic.params.iter().map(|param| param.name.clone());
        let outer = std::mem::replace(&mut self.variables, names.zip(values).collect());
        let inside = self.inside.take();
        self.depth += 1;
        let value = make(self);
        self.depth -= 1;
        self.inside = inside;
        self.variables = outer;
        value
    }

    /// Two to the power of an expression. Of one that is negative it is unknown.
    // SOUNDNESS: that the power fits has to be shown (kernels/prove/traps/72-power-too-large).
    fn power(&mut self, arg: &Expr) -> Result<SpecTerm> {
        const MOST: i128 = 62;
        let (term, (low, high)) = self.integer(arg)?;
        let pool = &mut self.walker.pool;
        let width = pool.width(term);
        let (least, most) = (pool.bv(width, 0), pool.bv(width, MOST as u128));
        if low < 0 {
            self.sides.push(pool.compare().sle(least, term));
        }
        if high > MOST {
            self.sides.push(pool.compare().sle(term, most));
        }
        let by = at_width(pool, term, 64);
        let one = pool.bv(64, 1);
        let power = pool.bits().shl(one, by);
        Ok(SpecTerm::Int(power, (1, 1 << high.clamp(0, MOST))))
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
}
