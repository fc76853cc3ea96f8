//! Reads instructions.

use super::cursor::{Cursor, Parsed, error};
use super::lexer::Kind;
use super::parse::PendingCall;
use super::parse_operand::OperandParser;
use crate::{
    AnnotationKind, AssertKind, AtomicOp, BarrierScope, BinaryOp, CastOp, Cause, Dim, ExchangeOp,
    FenceScope, FenceSpaces, FloatCc, Func, Geometry, GeometryKind, GhostKind, Inst, InstData,
    IntCc, MemoryOrder, MemoryScope, Reduction, Type, UnaryOp,
};

/// An instruction and the types of its results.
type Typed = (InstData, Vec<Type>);

/// Reading the instruction that will have the id `next` in `func`.
pub(super) struct InstParser<'o, 'p, 't> {
    pub operands: &'o mut OperandParser<'p, 't>,
    pub func: Func,
    pub next: Inst,
}

impl<'t> InstParser<'_, '_, 't> {
    fn cursor(&mut self) -> &mut Cursor<'t> {
        self.operands.cursor()
    }

    /// An instruction; `named` is the number of results that the line names.
    pub fn inst(&mut self, named: usize) -> Parsed<Typed> {
        let at = self.cursor().here();
        let word = self.cursor().word("an instruction")?;
        if let Some(op) = BinaryOp::from_name(word) {
            return self.binary(op);
        }
        if let Some(op) = UnaryOp::from_name(word) {
            let ty = self.cursor().ty()?;
            return Ok((InstData::Unary { op, arg: self.operands.operand(Some(ty))? }, vec![ty]));
        }
        if let Some(op) = CastOp::from_name(word) {
            return self.cast(op);
        }
        if let Some(geometry) = parse_geometry(word) {
            return Ok((InstData::Geometry(geometry), vec![Type::I32]));
        }
        self.other_inst(word, at, named)
    }

    /// Instructions with a keyword of their own.
    fn other_inst(&mut self, word: &str, at: usize, named: usize) -> Parsed<Typed> {
        match word {
            "icmp" => self.int_compare(),
            "fcmp" => self.float_compare(),
            "select" => self.select(),
            "pure" => self.pure(),
            "fresh" => self.fresh(),
            "ptr_to_int" => self.ptr_to_int(),
            "int_to_ptr" => self.int_to_ptr(),
            "load" => self.load(named),
            "store" => self.store(),
            "atomic" => self.atomic(),
            "barrier" => self.barrier(),
            "barrier_reduce" => self.barrier_reduce(),
            "fence" => self.fence(),
            "exchange" => self.exchange(),
            "async_copy" => self.async_copy(),
            "wait_events" => Ok((InstData::WaitEvents { events: self.operands.args()? }, vec![])),
            "assert" => self.assert(),
            "annotation" => self.annotation(),
            "ghost" => self.ghost(),
            "call" => self.call(),
            "call_unknown" => self.call_unknown(),
            _ => error(at, format!("unknown instruction `{word}`")),
        }
    }

    /// `add nsw i32 a, b`
    fn binary(&mut self, op: BinaryOp) -> Parsed<Typed> {
        let nsw = self.cursor().eat_word("nsw");
        let ty = self.cursor().ty()?;
        Ok((InstData::Binary { op, nsw, args: self.operands.pair(ty)? }, vec![ty]))
    }

    /// `zext v1 to i64`
    fn cast(&mut self, op: CastOp) -> Parsed<Typed> {
        let arg = self.operands.operand(None)?;
        self.cursor().expect_word("to")?;
        let to = self.cursor().ty()?;
        Ok((InstData::Cast { op, arg, to }, vec![to]))
    }

    /// `icmp ult i32 a, b`
    fn int_compare(&mut self) -> Parsed<Typed> {
        let cc = self.cursor().keyword("an integer comparison", IntCc::from_name)?;
        let ty = self.cursor().ty()?;
        Ok((InstData::IntCompare { cc, args: self.operands.claimed_pair(ty)? }, vec![Type::BOOL]))
    }

    /// `fcmp olt f32 a, b`
    fn float_compare(&mut self) -> Parsed<Typed> {
        let cc = self.cursor().keyword("a float comparison", FloatCc::from_name)?;
        let ty = self.cursor().ty()?;
        Ok((InstData::FloatCompare { cc, args: self.operands.claimed_pair(ty)? }, vec![Type::BOOL]))
    }

    /// `select i32 cond, a, b`
    fn select(&mut self) -> Parsed<Typed> {
        let ty = self.cursor().ty()?;
        let cond = self.operands.operand(Some(Type::BOOL))?;
        self.cursor().expect_punct(b',')?;
        Ok((InstData::Select { cond, args: self.operands.pair(ty)? }, vec![ty]))
    }

    /// `pure f32 "sinf"(v1)`
    fn pure(&mut self) -> Parsed<Typed> {
        let ty = self.cursor().ty()?;
        let name = self.cursor().string("the name of the function")?;
        Ok((InstData::Pure { name, args: self.operands.args()?, ty }, vec![ty]))
    }

    /// `fresh f32 "clock"`, `fresh i32 unknown_function "f"`, `fresh i64 allocated`
    fn fresh(&mut self) -> Parsed<Typed> {
        let ty = self.cursor().ty()?;
        let cursor = self.cursor();
        let cause = match cursor.peek_word() {
            Some("allocated") => {
                cursor.advance();
                Cause::Allocated
            }
            Some("unknown_function") => {
                cursor.advance();
                Cause::UnknownFunction(cursor.string("the name of the function")?)
            }
            Some("assumed_function") => {
                cursor.advance();
                Cause::AssumedFunction(cursor.string("the name of the function")?)
            }
            Some("beyond_table") => {
                cursor.advance();
                Cause::BeyondTable(cursor.string("the name of the table")?)
            }
            _ => Cause::Open(cursor.string("the cause of the unknown")?),
        };
        Ok((InstData::Fresh { cause, ty }, vec![ty]))
    }

    /// `ptr_to_int v1, v2`
    fn ptr_to_int(&mut self) -> Parsed<Typed> {
        let pointer = self.operands.parser.module.pointer_type();
        let reference = self.operands.operand(Some(Type::Ref))?;
        self.cursor().expect_punct(b',')?;
        let offset = self.operands.operand(Some(pointer))?;
        Ok((InstData::PtrToInt { reference, offset }, vec![pointer]))
    }

    /// `int_to_ptr v1`
    fn int_to_ptr(&mut self) -> Parsed<Typed> {
        let pointer = self.operands.parser.module.pointer_type();
        let arg = self.operands.operand(Some(pointer))?;
        Ok((InstData::IntToPtr { arg }, vec![Type::Ref, pointer]))
    }

    /// `load f32 x 2 @a[v3] align 8`
    fn load(&mut self, named: usize) -> Parsed<Typed> {
        let ty = self.cursor().ty()?;
        let at = self.cursor().here();
        let mut lanes = 1;
        if self.cursor().eat_word("x") {
            lanes = self.cursor().number::<u32>("a number of lanes")?;
        }
        if lanes as usize != named {
            return error(at, format!("expected names for {lanes} results, found {named}"));
        }
        let mut access = self.operands.place()?;
        self.operands.access_flags(&mut access)?;
        Ok((InstData::Load { access, ty, lanes }, vec![ty; named]))
    }

    /// `store f32 @a[v3], v1, v2 align 8`
    fn store(&mut self) -> Parsed<Typed> {
        let ty = self.cursor().ty()?;
        let mut access = self.operands.place()?;
        let at = self.cursor().here();
        let values = self.operands.operands_of(ty)?;
        if let Some(&first) = values.first() {
            self.operands.values.claim(first, ty, at);
        }
        self.operands.access_flags(&mut access)?;
        Ok((InstData::Store { access, values }, vec![]))
    }

    /// `atomic add device i32 @a[v3], v1 align 4`; the order comes after the scope.
    fn atomic(&mut self) -> Parsed<Typed> {
        let op = self.cursor().keyword("an atomic operation", AtomicOp::from_name)?;
        let scope = self.cursor().keyword("a memory scope", MemoryScope::from_name)?;
        let order = self.cursor().optional(MemoryOrder::from_name);
        let order = order.unwrap_or(MemoryOrder::Relaxed);
        let ty = self.cursor().ty()?;
        let mut access = self.operands.place()?;
        let args = self.operands.operands_of(ty)?;
        self.operands.access_flags(&mut access)?;
        Ok((InstData::Atomic { op, scope, order, access, args, ty }, vec![ty]))
    }

    /// `barrier block 3`
    fn barrier(&mut self) -> Parsed<Typed> {
        let scope = self.cursor().keyword("a barrier scope", BarrierScope::from_name)?;
        let bare = matches!(self.cursor().peek().kind, Kind::Newline | Kind::Punct(b'!'));
        let arg = if bare { None } else { Some(self.operands.operand(Some(Type::I32))?) };
        Ok((InstData::Barrier { scope, arg }, vec![]))
    }

    /// `barrier_reduce count v1`
    fn barrier_reduce(&mut self) -> Parsed<Typed> {
        let op = self.cursor().keyword("`count`, `and` or `or`", Reduction::from_name)?;
        let arg = self.operands.operand(Some(Type::I32))?;
        Ok((InstData::BarrierReduce { op, arg }, vec![Type::I32]))
    }

    /// `fence device`, or `fence device release global`
    fn fence(&mut self) -> Parsed<Typed> {
        let scope = self.cursor().keyword("the reach of a fence", FenceScope::from_name)?;
        let order = self.cursor().optional(MemoryOrder::from_name);
        let spaces = self.cursor().optional(FenceSpaces::from_name);
        let order = order.unwrap_or(MemoryOrder::AcquireRelease);
        let spaces = spaces.unwrap_or(FenceSpaces::All);
        Ok((InstData::Fence { scope, order, spaces }, vec![]))
    }

    /// `exchange shuffle_up i32 (v1, i32 1, i32 32) mask v2`
    fn exchange(&mut self) -> Parsed<Typed> {
        let op = self.cursor().keyword("a warp exchange", ExchangeOp::from_name)?;
        let ty = self.cursor().ty()?;
        let args = self.operands.args()?;
        let mut mask = None;
        if self.cursor().eat_word("mask") {
            mask = Some(self.operands.operand(Some(Type::I32))?);
        }
        Ok((InstData::Exchange { op, mask, args, ty }, vec![ty]))
    }

    /// `async_copy @d[v1] align 4, @s[v2] align 4, element 4, count v3, strides 1, v4, event 0`
    fn async_copy(&mut self) -> Parsed<Typed> {
        let pointer = self.operands.parser.module.pointer_type();
        let mut dst = self.operands.place()?;
        self.operands.access_flags(&mut dst)?;
        self.cursor().expect_punct(b',')?;
        let mut src = self.operands.place()?;
        self.operands.access_flags(&mut src)?;
        self.operands.after_comma("element")?;
        let element = self.cursor().number("a size")?;
        self.operands.after_comma("count")?;
        let count = self.operands.operand(Some(pointer))?;
        self.operands.after_comma("strides")?;
        let [dst_stride, src_stride] = self.operands.pair(pointer)?;
        self.operands.after_comma("event")?;
        let event = self.operands.operand(Some(Type::I32))?;
        let data = InstData::AsyncCopy { dst, src, element, count, dst_stride, src_stride, event };
        Ok((data, vec![Type::I32]))
    }

    /// `assert library v1`
    fn assert(&mut self) -> Parsed<Typed> {
        let kind = self.cursor().keyword("the kind of the assertion", AssertKind::from_name)?;
        let cond = self.operands.operand(Some(Type::BOOL))?;
        Ok((InstData::Assert { kind, cond }, vec![]))
    }

    /// `annotation requires (v1)`
    fn annotation(&mut self) -> Parsed<Typed> {
        let kind =
            self.cursor().keyword("the kind of the annotation", AnnotationKind::from_name)?;
        Ok((InstData::Annotation { kind, args: self.operands.args()? }, vec![]))
    }

    /// `ghost old i32 (v1)`
    fn ghost(&mut self) -> Parsed<Typed> {
        let kind = self.cursor().keyword("the kind of the ghost", GhostKind::from_name)?;
        let ty = self.cursor().ty()?;
        Ok((InstData::Ghost { kind, args: self.operands.args()?, ty }, vec![ty]))
    }

    /// The types of results before a callee, none if there are no results.
    fn call_types(&mut self) -> Parsed<Vec<Type>> {
        if self.cursor().peek().kind == Kind::String { Ok(vec![]) } else { self.operands.types() }
    }

    /// `call f32, i32 "symbol"(v1)`
    fn call(&mut self) -> Parsed<Typed> {
        let types = self.call_types()?;
        let at = self.cursor().here();
        let symbol = self.cursor().string("the symbol of a function")?;
        let (func, inst) = (self.func, self.next);
        self.operands.parser.calls.push(PendingCall { func, inst, symbol, at });
        // The callee is known when all functions have been read.
        let callee = Func::from_u32(0);
        Ok((InstData::Call { callee, args: self.operands.args()? }, types))
    }

    /// `call_unknown f32 "name"(v1)`
    fn call_unknown(&mut self) -> Parsed<Typed> {
        let results = self.call_types()?;
        let name = self.cursor().string("the name of a function")?;
        let data =
            InstData::CallUnknown { name, args: self.operands.args()?, results: results.clone() };
        Ok((data, results))
    }
}

/// `thread_id.x`
pub(super) fn parse_geometry(word: &str) -> Option<Geometry> {
    let (kind, dim) = word.split_once('.')?;
    let kind = GeometryKind::from_name(kind)?;
    let dim = match dim {
        "x" => Dim::X,
        "y" => Dim::Y,
        "z" => Dim::Z,
        _ => return None,
    };
    Some(Geometry { kind, dim })
}
