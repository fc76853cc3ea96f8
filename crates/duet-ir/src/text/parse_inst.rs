//! Reads operands, instructions and terminators.

use super::cursor::{Parsed, error};
use super::lexer::Kind;
use super::operands::{parse_float, parse_int};
use super::parse::PendingCall;
use super::parse_function::FunctionParser;
use crate::{
    Access, AnnotationKind, AssertKind, AtomicOp, BarrierScope, BinaryOp, CastOp, Cause, Const, Dim, Edge,
    ExchangeOp, FenceScope, FloatCc, Func, Geometry, GeometryKind, GhostKind, InstData, IntCc,
    MemoryScope, Reduction, Terminator, Type, UnaryOp, Value,
};

/// An instruction and the types of its results.
type Typed = (InstData, Vec<Type>);

impl FunctionParser<'_, '_> {
    /// A value or a constant. A bare number takes the expected type; where there
    /// is none, it must bring its own (`i32 5`).
    pub fn operand(&mut self, expected: Option<Type>) -> Parsed<Value> {
        if self.parser.cursor.peek_id("v").is_some() {
            return self.used_value();
        }
        if let Some(ty) = self.parser.cursor.eat_type() {
            return self.literal(ty);
        }
        match (self.parser.cursor.peek_word(), expected) {
            (Some("true" | "false"), _) => {
                let bit = u128::from(self.parser.cursor.word("a condition")? == "true");
                Ok(self.constant(Const::Bits(bit), Type::BOOL))
            }
            (Some("null"), _) => self.literal(Type::Ref),
            _ if self.parser.cursor.is_punct(b'@') => self.literal(Type::Ref),
            (None, Some(ty)) => self.literal(ty),
            (None, None) if self.parser.cursor.peek().kind == Kind::Number => {
                error(self.parser.cursor.here(), "a constant needs its type here, as in `i32 5`")
            }
            _ => self.parser.cursor.unexpected("a value or a constant"),
        }
    }

    /// A constant of a type.
    fn literal(&mut self, ty: Type) -> Parsed<Value> {
        if self.parser.cursor.is_punct(b'@') {
            let array = self.parser.array_name()?;
            return Ok(self.constant(Const::Array(array), ty));
        }
        if self.parser.cursor.eat_word("null") {
            return Ok(self.constant(Const::Null, ty));
        }
        let (at, text) = (self.parser.cursor.here(), self.parser.cursor.peek_text());
        if self.parser.cursor.peek().kind != Kind::Number {
            return self.parser.cursor.unexpected("a value or a constant");
        }
        self.parser.cursor.advance();
        let bits = match ty {
            Type::Ref => Err("a `ref` is `null` or an array, not a number".to_string()),
            Type::Int(width) => parse_int(text, u32::from(width)),
            Type::Float(float) => parse_float(text, float),
        };
        match bits {
            Ok(bits) => Ok(self.constant(Const::Bits(bits), ty)),
            Err(message) => error(at, message),
        }
    }

    /// `a, b`, both of type `ty`.
    fn pair(&mut self, ty: Type) -> Parsed<[Value; 2]> {
        let first = self.operand(Some(ty))?;
        self.parser.cursor.expect_punct(b',')?;
        Ok([first, self.operand(Some(ty))?])
    }

    /// `a, b` of a type that only the operands keep.
    fn claimed_pair(&mut self, ty: Type) -> Parsed<[Value; 2]> {
        let at = self.parser.cursor.here();
        let pair = self.pair(ty)?;
        self.claim(pair[0], ty, at);
        Ok(pair)
    }

    /// An instruction; `named` is the number of results that the line names.
    pub fn inst(&mut self, named: usize) -> Parsed<Typed> {
        let at = self.parser.cursor.here();
        let word = self.parser.cursor.word("an instruction")?;
        if let Some(op) = BinaryOp::from_name(word) {
            return self.binary(op);
        }
        if let Some(op) = UnaryOp::from_name(word) {
            let ty = self.parser.cursor.ty()?;
            return Ok((InstData::Unary { op, arg: self.operand(Some(ty))? }, vec![ty]));
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
            "wait_events" => Ok((InstData::WaitEvents { events: self.args()? }, vec![])),
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
        let nsw = self.parser.cursor.eat_word("nsw");
        let ty = self.parser.cursor.ty()?;
        Ok((InstData::Binary { op, nsw, args: self.pair(ty)? }, vec![ty]))
    }

    /// `zext v1 to i64`
    fn cast(&mut self, op: CastOp) -> Parsed<Typed> {
        let arg = self.operand(None)?;
        self.parser.cursor.expect_word("to")?;
        let to = self.parser.cursor.ty()?;
        Ok((InstData::Cast { op, arg, to }, vec![to]))
    }

    /// `icmp ult i32 a, b`
    fn int_compare(&mut self) -> Parsed<Typed> {
        let cc = self.parser.cursor.keyword("an integer comparison", IntCc::from_name)?;
        let ty = self.parser.cursor.ty()?;
        Ok((InstData::IntCompare { cc, args: self.claimed_pair(ty)? }, vec![Type::BOOL]))
    }

    /// `fcmp olt f32 a, b`
    fn float_compare(&mut self) -> Parsed<Typed> {
        let cc = self.parser.cursor.keyword("a float comparison", FloatCc::from_name)?;
        let ty = self.parser.cursor.ty()?;
        Ok((InstData::FloatCompare { cc, args: self.claimed_pair(ty)? }, vec![Type::BOOL]))
    }

    /// `select i32 cond, a, b`
    fn select(&mut self) -> Parsed<Typed> {
        let ty = self.parser.cursor.ty()?;
        let cond = self.operand(Some(Type::BOOL))?;
        self.parser.cursor.expect_punct(b',')?;
        Ok((InstData::Select { cond, args: self.pair(ty)? }, vec![ty]))
    }

    /// `pure f32 "sinf"(v1)`
    fn pure(&mut self) -> Parsed<Typed> {
        let ty = self.parser.cursor.ty()?;
        let name = self.parser.cursor.string("the name of the function")?;
        Ok((InstData::Pure { name, args: self.args()?, ty }, vec![ty]))
    }

    /// `fresh f32 "clock"`, `fresh i32 unknown_function "f"`, `fresh i64 allocated`
    fn fresh(&mut self) -> Parsed<Typed> {
        let ty = self.parser.cursor.ty()?;
        let cursor = &mut self.parser.cursor;
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
        let pointer = self.parser.module.pointer_type();
        let reference = self.operand(Some(Type::Ref))?;
        self.parser.cursor.expect_punct(b',')?;
        let offset = self.operand(Some(pointer))?;
        Ok((InstData::PtrToInt { reference, offset }, vec![pointer]))
    }

    /// `int_to_ptr v1`
    fn int_to_ptr(&mut self) -> Parsed<Typed> {
        let pointer = self.parser.module.pointer_type();
        let arg = self.operand(Some(pointer))?;
        Ok((InstData::IntToPtr { arg }, vec![Type::Ref, pointer]))
    }

    /// `@a[v3]`; alignment and flags follow by [`Self::access_flags`].
    fn place(&mut self) -> Parsed<Access> {
        let pointer = self.parser.module.pointer_type();
        let array = self.parser.array_name()?;
        self.parser.cursor.expect_punct(b'[')?;
        let offset = self.operand(Some(pointer))?;
        self.parser.cursor.expect_punct(b']')?;
        Ok(Access { array, offset, align: 1, volatile: false, ghost: false })
    }

    /// `align 4 volatile ghost`
    fn access_flags(&mut self, access: &mut Access) -> Parsed<()> {
        let cursor = &mut self.parser.cursor;
        cursor.expect_word("align")?;
        access.align = cursor.number("an alignment")?;
        access.volatile = cursor.eat_word("volatile");
        access.ghost = cursor.eat_word("ghost");
        Ok(())
    }

    /// `load f32 x 2 @a[v3] align 8`
    fn load(&mut self, named: usize) -> Parsed<Typed> {
        let ty = self.parser.cursor.ty()?;
        let at = self.parser.cursor.here();
        let mut lanes = 1;
        if self.parser.cursor.eat_word("x") {
            lanes = self.parser.cursor.number::<u32>("a number of lanes")?;
        }
        if lanes as usize != named {
            return error(at, format!("expected names for {lanes} results, found {named}"));
        }
        let mut access = self.place()?;
        self.access_flags(&mut access)?;
        Ok((InstData::Load { access, ty, lanes }, vec![ty; named]))
    }

    /// `store f32 @a[v3], v1, v2 align 8`
    fn store(&mut self) -> Parsed<Typed> {
        let ty = self.parser.cursor.ty()?;
        let mut access = self.place()?;
        let at = self.parser.cursor.here();
        let values = self.operands_of(ty)?;
        if let Some(&first) = values.first() {
            self.claim(first, ty, at);
        }
        self.access_flags(&mut access)?;
        Ok((InstData::Store { access, values }, vec![]))
    }

    /// `, a, b, …`
    fn operands_of(&mut self, ty: Type) -> Parsed<Vec<Value>> {
        let mut values = Vec::new();
        while self.parser.cursor.eat_punct(b',') {
            values.push(self.operand(Some(ty))?);
        }
        Ok(values)
    }

    /// `atomic add device i32 @a[v3], v1 align 4`
    fn atomic(&mut self) -> Parsed<Typed> {
        let op = self.parser.cursor.keyword("an atomic operation", AtomicOp::from_name)?;
        let scope = self.parser.cursor.keyword("a memory scope", MemoryScope::from_name)?;
        let ty = self.parser.cursor.ty()?;
        let mut access = self.place()?;
        let args = self.operands_of(ty)?;
        self.access_flags(&mut access)?;
        Ok((InstData::Atomic { op, scope, access, args, ty }, vec![ty]))
    }

    /// `barrier block 3`
    fn barrier(&mut self) -> Parsed<Typed> {
        let scope = self.parser.cursor.keyword("a barrier scope", BarrierScope::from_name)?;
        let bare = matches!(self.parser.cursor.peek().kind, Kind::Newline | Kind::Punct(b'!'));
        let arg = if bare { None } else { Some(self.operand(Some(Type::I32))?) };
        Ok((InstData::Barrier { scope, arg }, vec![]))
    }

    /// `barrier_reduce count v1`
    fn barrier_reduce(&mut self) -> Parsed<Typed> {
        let op = self.parser.cursor.keyword("`count`, `and` or `or`", Reduction::from_name)?;
        let arg = self.operand(Some(Type::I32))?;
        Ok((InstData::BarrierReduce { op, arg }, vec![Type::I32]))
    }

    fn fence(&mut self) -> Parsed<Typed> {
        let scope = self.parser.cursor.keyword("the reach of a fence", FenceScope::from_name)?;
        Ok((InstData::Fence { scope }, vec![]))
    }

    /// `exchange shuffle_up i32 (v1, i32 1, i32 32) mask v2`
    fn exchange(&mut self) -> Parsed<Typed> {
        let op = self.parser.cursor.keyword("a warp exchange", ExchangeOp::from_name)?;
        let ty = self.parser.cursor.ty()?;
        let args = self.args()?;
        let mut mask = None;
        if self.parser.cursor.eat_word("mask") {
            mask = Some(self.operand(Some(Type::I32))?);
        }
        Ok((InstData::Exchange { op, mask, args, ty }, vec![ty]))
    }

    /// `async_copy @d[v1] align 4, @s[v2] align 4, element 4, count v3, strides 1, v4, event 0`
    fn async_copy(&mut self) -> Parsed<Typed> {
        let pointer = self.parser.module.pointer_type();
        let mut dst = self.place()?;
        self.access_flags(&mut dst)?;
        self.parser.cursor.expect_punct(b',')?;
        let mut src = self.place()?;
        self.access_flags(&mut src)?;
        self.after_comma("element")?;
        let element = self.parser.cursor.number("a size")?;
        self.after_comma("count")?;
        let count = self.operand(Some(pointer))?;
        self.after_comma("strides")?;
        let [dst_stride, src_stride] = self.pair(pointer)?;
        self.after_comma("event")?;
        let event = self.operand(Some(Type::I32))?;
        let data = InstData::AsyncCopy { dst, src, element, count, dst_stride, src_stride, event };
        Ok((data, vec![Type::I32]))
    }

    /// `, word`
    fn after_comma(&mut self, word: &str) -> Parsed<()> {
        self.parser.cursor.expect_punct(b',')?;
        self.parser.cursor.expect_word(word)
    }

    /// `assert library v1`
    fn assert(&mut self) -> Parsed<Typed> {
        let kind =
            self.parser.cursor.keyword("the kind of the assertion", AssertKind::from_name)?;
        let cond = self.operand(Some(Type::BOOL))?;
        Ok((InstData::Assert { kind, cond }, vec![]))
    }

    /// `annotation requires (v1)`
    fn annotation(&mut self) -> Parsed<Typed> {
        let kind =
            self.parser.cursor.keyword("the kind of the annotation", AnnotationKind::from_name)?;
        Ok((InstData::Annotation { kind, args: self.args()? }, vec![]))
    }

    /// `ghost old i32 (v1)`
    fn ghost(&mut self) -> Parsed<Typed> {
        let kind = self.parser.cursor.keyword("the kind of the ghost", GhostKind::from_name)?;
        let ty = self.parser.cursor.ty()?;
        Ok((InstData::Ghost { kind, args: self.args()?, ty }, vec![ty]))
    }

    /// The types of results before a callee, none if there are no results.
    fn call_types(&mut self) -> Parsed<Vec<Type>> {
        if self.parser.cursor.peek().kind == Kind::String { Ok(vec![]) } else { self.types() }
    }

    /// `call f32, i32 "symbol"(v1)`
    fn call(&mut self) -> Parsed<Typed> {
        let types = self.call_types()?;
        let at = self.parser.cursor.here();
        let symbol = self.parser.cursor.string("the symbol of a function")?;
        let (func, inst) = (self.id, self.func.insts.next_key());
        self.parser.calls.push(PendingCall { func, inst, symbol, at });
        // The callee is known when all functions have been read.
        let callee = Func::from_u32(0);
        Ok((InstData::Call { callee, args: self.args()? }, types))
    }

    /// `call_unknown f32 "name"(v1)`
    fn call_unknown(&mut self) -> Parsed<Typed> {
        let results = self.call_types()?;
        let name = self.parser.cursor.string("the name of a function")?;
        let data = InstData::CallUnknown { name, args: self.args()?, results: results.clone() };
        Ok((data, results))
    }

    /// The end of a block, if the next word starts one.
    pub fn terminator(&mut self) -> Parsed<Option<Terminator>> {
        let Some(word) = self.parser.cursor.peek_word() else { return Ok(None) };
        if !matches!(word, "jump" | "br" | "switch" | "return" | "halt") {
            return Ok(None);
        }
        self.parser.cursor.advance();
        Ok(Some(match word {
            "jump" => Terminator::Jump(self.edge()?),
            "br" => self.branch()?,
            "switch" => self.switch()?,
            "return" => self.return_values()?,
            _ => Terminator::Halt,
        }))
    }

    /// `br v1, bb1, bb2(v3)`
    fn branch(&mut self) -> Parsed<Terminator> {
        let cond = self.operand(Some(Type::BOOL))?;
        self.parser.cursor.expect_punct(b',')?;
        let then = self.edge()?;
        self.parser.cursor.expect_punct(b',')?;
        Ok(Terminator::Branch { cond, then, otherwise: self.edge()? })
    }

    /// `switch i32 v1 [0: bb1, 5: bb2], default bb3`
    fn switch(&mut self) -> Parsed<Terminator> {
        let ty = self.parser.cursor.ty()?;
        let at = self.parser.cursor.here();
        let arg = self.operand(Some(ty))?;
        self.claim(arg, ty, at);
        let cases = self.cases(ty)?;
        self.after_comma("default")?;
        Ok(Terminator::Switch { arg, cases, default: self.edge()? })
    }

    fn cases(&mut self, ty: Type) -> Parsed<Vec<(u128, Edge)>> {
        self.parser.cursor.expect_punct(b'[')?;
        self.list(b']', |reader| reader.case(ty))
    }

    /// `5: bb2(v3)`
    fn case(&mut self, ty: Type) -> Parsed<(u128, Edge)> {
        let (at, text) = (self.parser.cursor.here(), self.parser.cursor.peek_text());
        if self.parser.cursor.peek().kind != Kind::Number {
            return self.parser.cursor.unexpected("the number of a case");
        }
        self.parser.cursor.advance();
        let number = match parse_int(text, ty.bits().unwrap_or(0)) {
            Ok(number) => number,
            Err(message) => return error(at, message),
        };
        self.parser.cursor.expect_punct(b':')?;
        Ok((number, self.edge()?))
    }

    /// `return v1, v2`; a bare number takes the type of the function's result.
    fn return_values(&mut self) -> Parsed<Terminator> {
        let mut values = Vec::new();
        if matches!(self.parser.cursor.peek().kind, Kind::Newline | Kind::Punct(b'!')) {
            return Ok(Terminator::Return(values));
        }
        loop {
            let expected = self.func.results.get(values.len()).copied();
            values.push(self.operand(expected)?);
            if !self.parser.cursor.eat_punct(b',') {
                return Ok(Terminator::Return(values));
            }
        }
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
