//! Builds a function one instruction at a time, at a current block and location,
//! folding operations on constants as it goes.
//!
//! Folding is exact: it computes what the crate header says the operation means,
//! and drops nothing but operations without effect (`x + 0`, `x * 1`). It never
//! removes an access.

use cranelift_entity::SecondaryMap;

use crate::{
    BinaryOp, Block, CastOp, Const, Edge, Function, Geometry, Inst, InstData, IntCc, Loc, Module,
    Terminator, Type, UnaryOp, Value,
};

/// A function under construction.
pub struct FunctionBuilder<'m> {
    /// The module that the function will belong to.
    pub module: &'m mut Module,
    /// The function.
    pub func: Function,
    /// Where instructions go.
    block: Option<Block>,
    /// Location given to what is built next.
    loc: Option<Loc>,
    /// The blocks that are in the layout.
    placed: SecondaryMap<Block, bool>,
}

impl<'m> FunctionBuilder<'m> {
    /// Starts building `func`.
    pub fn new(module: &'m mut Module, func: Function) -> Self {
        let mut placed = SecondaryMap::new();
        for &block in &func.layout {
            placed[block] = true;
        }
        FunctionBuilder { module, func, block: None, loc: None, placed }
    }

    /// The finished function.
    pub fn finish(self) -> Function {
        self.func
    }

    /// Further instructions go to the end of `block`, which joins the layout.
    pub fn switch_to(&mut self, block: Block) {
        if !std::mem::replace(&mut self.placed[block], true) {
            self.func.layout.push(block);
        }
        self.block = Some(block);
    }

    /// The block instructions go to.
    ///
    /// # Panics
    /// Before the first `switch_to`.
    pub fn current_block(&self) -> Block {
        self.block.expect("a current block")
    }

    /// Location for what is built next.
    pub fn set_loc(&mut self, loc: Option<Loc>) {
        self.loc = loc;
    }

    /// The location in force.
    pub fn loc(&self) -> Option<Loc> {
        self.loc
    }

    /// A new block, not yet in the layout.
    pub fn make_block(&mut self) -> Block {
        self.func.make_block()
    }

    /// Appends an instruction as it is, without folding.
    pub fn inst(&mut self, data: InstData) -> Inst {
        let types = self.func.result_types(self.module, &data);
        let inst = self.func.make_inst(data, &types, self.loc);
        let block = self.current_block();
        self.func.blocks[block].insts.push(inst);
        inst
    }

    /// Appends an instruction with one result, as it is.
    pub fn value(&mut self, data: InstData) -> Value {
        let inst = self.inst(data);
        self.func.result(inst)
    }

    /// Ends the current block.
    pub fn terminate(&mut self, terminator: Terminator) {
        let block = self.current_block();
        self.func.blocks[block].terminator = terminator;
        self.func.blocks[block].loc = self.loc;
    }

    /// Ends the current block with a jump.
    pub fn jump(&mut self, block: Block, args: Vec<Value>) {
        self.terminate(Terminator::Jump(Edge { block, args }));
    }

    /// Ends the current block with a branch without edge arguments.
    pub fn branch(&mut self, cond: Value, then: Block, otherwise: Block) {
        let edge = |block| Edge { block, args: vec![] };
        self.terminate(Terminator::Branch { cond, then: edge(then), otherwise: edge(otherwise) });
    }

    /// An integer constant, cut to the width of `ty`.
    pub fn int(&mut self, bits: u128, ty: Type) -> Value {
        self.func.int_constant(bits, ty)
    }

    /// True or false.
    pub fn bool(&mut self, value: bool) -> Value {
        self.int(u128::from(value), Type::BOOL)
    }

    /// A constant of pointer width.
    pub fn offset(&mut self, bytes: u64) -> Value {
        let ty = self.module.pointer_type();
        self.int(u128::from(bytes), ty)
    }

    /// A binary operation, folded where its operands allow.
    pub fn binary(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        self.binary_flagged(op, false, a, b)
    }

    /// A binary operation that the source language may call undefined on signed
    /// overflow.
    pub fn binary_flagged(&mut self, op: BinaryOp, nsw: bool, a: Value, b: Value) -> Value {
        let ty = self.func.type_of(a);
        let (x, y) = (self.func.const_bits(a), self.func.const_bits(b));
        if let Type::Int(width) = ty {
            if let (Some(x), Some(y)) = (x, y)
                && let Some(bits) = fold_binary(op, x, y, width)
            {
                return self.int(bits, ty);
            }
            if let Some(value) = identity(op, a, b, x, y) {
                return value;
            }
        }
        self.value(InstData::Binary { op, nsw, args: [a, b] })
    }

    /// Sum.
    pub fn add(&mut self, a: Value, b: Value) -> Value {
        self.binary(BinaryOp::Add, a, b)
    }

    /// Product.
    pub fn mul(&mut self, a: Value, b: Value) -> Value {
        self.binary(BinaryOp::Mul, a, b)
    }

    /// A unary operation, folded on an integer constant.
    pub fn unary(&mut self, op: UnaryOp, arg: Value) -> Value {
        let ty = self.func.type_of(arg);
        if let (Some(bits), Type::Int(width)) = (self.func.const_bits(arg), ty)
            && let Some(folded) = fold_unary(op, bits, u32::from(width))
        {
            return self.int(folded, ty);
        }
        self.value(InstData::Unary { op, arg })
    }

    /// A conversion; the identity where nothing changes.
    pub fn cast(&mut self, op: CastOp, arg: Value, to: Type) -> Value {
        let from = self.func.type_of(arg);
        if from == to {
            return arg;
        }
        if let (Some(bits), Some(width)) = (self.func.const_bits(arg), from.bits())
            && let Some(folded) = fold_cast(op, bits, width)
        {
            return self.int(folded, to);
        }
        self.value(InstData::Cast { op, arg, to })
    }

    /// An integer at another width: truncated, or extended by sign or zero.
    pub fn resize(&mut self, arg: Value, to: Type, signed: bool) -> Value {
        let (from, width) = (self.func.type_of(arg).bits(), to.bits());
        let op = match (from > width, signed) {
            (true, _) => CastOp::Trunc,
            (false, true) => CastOp::SExt,
            (false, false) => CastOp::ZExt,
        };
        self.cast(op, arg, to)
    }

    /// An integer (or reference) comparison.
    pub fn compare(&mut self, cc: IntCc, a: Value, b: Value) -> Value {
        let ty = self.func.type_of(a);
        match (self.func.const_of(a), self.func.const_of(b)) {
            (Some(Const::Bits(x)), Some(Const::Bits(y))) => {
                let width = ty.bits().expect("bits have a width");
                self.bool(fold_compare(cc, x, y, width as u8))
            }
            (Some(x), Some(y)) => self.bool((x == y) == (cc == IntCc::Eq)),
            _ => self.value(InstData::IntCompare { cc, args: [a, b] }),
        }
    }

    /// `cond ? a : b`.
    pub fn select(&mut self, cond: Value, a: Value, b: Value) -> Value {
        match self.func.const_bits(cond) {
            _ if a == b => a,
            Some(0) => b,
            Some(_) => a,
            None => self.value(InstData::Select { cond, args: [a, b] }),
        }
    }

    /// Exclusive or with all ones, on conditions.
    pub fn not(&mut self, cond: Value) -> Value {
        let ty = self.func.type_of(cond);
        let ones = self.int(u128::MAX, ty);
        self.binary(BinaryOp::Xor, cond, ones)
    }

    /// An id or a size.
    pub fn geometry(&mut self, geometry: Geometry) -> Value {
        self.value(InstData::Geometry(geometry))
    }
}

/// All ones of a width.
fn mask(width: u8) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// The signed reading of `bits`.
fn signed(bits: u128, width: u8) -> i128 {
    let shift = 128 - u32::from(width);
    ((bits << shift) as i128) >> shift
}

/// The result of an operation on constants; `None` where it has none (division
/// by zero) or is one on floats.
fn fold_binary(op: BinaryOp, x: u128, y: u128, width: u8) -> Option<u128> {
    use BinaryOp::*;
    let (sx, sy) = (signed(x, width), signed(y, width));
    let too_far = y >= u128::from(width);
    Some(match op {
        Add => x.wrapping_add(y),
        Sub => x.wrapping_sub(y),
        Mul => x.wrapping_mul(y),
        UDiv => x.checked_div(y)?,
        URem => x.checked_rem(y)?,
        SDiv if y == 0 => return None,
        SDiv => sx.wrapping_div(sy) as u128,
        SRem if y == 0 => return None,
        SRem => sx.wrapping_rem(sy) as u128,
        Shl | LShr if too_far => 0,
        Shl => x << y,
        LShr => x >> y,
        AShr => (sx >> y.min(u128::from(width) - 1)) as u128,
        And => x & y,
        Or => x | y,
        Xor => x ^ y,
        FAdd | FSub | FMul | FDiv | FRem => return None,
    })
}

/// The result of a unary operation on an integer constant whose upper bits are
/// zero; `None` where it has none (bytes of a width that is not whole bytes).
fn fold_unary(op: UnaryOp, bits: u128, width: u32) -> Option<u128> {
    let unused = 128 - width;
    Some(match op {
        UnaryOp::CountLeadingZeros => u128::from(bits.leading_zeros() - unused),
        UnaryOp::CountTrailingZeros => u128::from(bits.trailing_zeros().min(width)),
        UnaryOp::PopCount => u128::from(bits.count_ones()),
        UnaryOp::ReverseBits => bits.reverse_bits() >> unused,
        UnaryOp::SwapBytes if width.is_multiple_of(8) => bits.swap_bytes() >> unused,
        UnaryOp::SwapBytes | UnaryOp::FNeg => return None,
    })
}

/// The operand that an operation with a neutral element leaves as it is.
fn identity(op: BinaryOp, a: Value, b: Value, x: Option<u128>, y: Option<u128>) -> Option<Value> {
    use BinaryOp::*;
    match op {
        Add | Or | Xor if x == Some(0) => Some(b),
        Add | Sub | Or | Xor | Shl | LShr | AShr if y == Some(0) => Some(a),
        Mul if x == Some(1) => Some(b),
        Mul | UDiv | SDiv if y == Some(1) => Some(a),
        Mul | And if x == Some(0) => Some(a),
        Mul | And if y == Some(0) => Some(b),
        Add | Sub | Mul | UDiv | SDiv | URem | SRem | Shl | LShr | AShr | And | Or | Xor | FAdd
        | FSub | FMul | FDiv | FRem => None,
    }
}

/// The result of an integer conversion of a constant.
fn fold_cast(op: CastOp, bits: u128, width: u32) -> Option<u128> {
    match op {
        CastOp::Trunc | CastOp::ZExt | CastOp::Bitcast => Some(bits),
        CastOp::SExt => Some(signed(bits, width as u8) as u128),
        CastOp::FToU
        | CastOp::FToUSat
        | CastOp::FToSSat
        | CastOp::FToS
        | CastOp::UToF
        | CastOp::SToF
        | CastOp::FTrunc
        | CastOp::FExt => None,
    }
}

/// The result of a comparison of constants.
fn fold_compare(cc: IntCc, x: u128, y: u128, width: u8) -> bool {
    let (x, y) = (x & mask(width), y & mask(width));
    let (sx, sy) = (signed(x, width), signed(y, width));
    match cc {
        IntCc::Eq => x == y,
        IntCc::Ne => x != y,
        IntCc::Ult => x < y,
        IntCc::Ule => x <= y,
        IntCc::Ugt => x > y,
        IntCc::Uge => x >= y,
        IntCc::Slt => sx < sy,
        IntCc::Sle => sx <= sy,
        IntCc::Sgt => sx > sy,
        IntCc::Sge => sx >= sy,
    }
}
