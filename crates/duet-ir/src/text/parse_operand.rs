//! Reads what lines of a function are made of: uses and definitions of values,
//! constants, accesses, edges and lists of them.

use super::cursor::{Cursor, Parsed, error};
use super::lexer::Kind;
use super::operands::{parse_float, parse_int};
use super::parse::Parser;
use super::values::{Definition, Values};
use crate::{Access, Block, Const, Edge, Param, ParamKind, Type, Value, ValueDef};

/// Reading operands: the module's parser, and what the function has said so far about
/// values and jump targets.
pub(super) struct OperandParser<'p, 't> {
    pub parser: &'p mut Parser<'t>,
    pub values: Values,
    /// Numbers of jump targets, with their places.
    pub targets: Vec<(u32, usize)>,
}

/// A value about to be defined: its number, source name and place.
pub(super) struct Defined {
    pub number: u32,
    pub name: Option<String>,
    pub at: usize,
}

impl<'t> OperandParser<'_, 't> {
    /// The position in the text.
    pub fn cursor(&mut self) -> &mut Cursor<'t> {
        &mut self.parser.cursor
    }

    /// `type, type, …`, at least one.
    pub fn types(&mut self) -> Parsed<Vec<Type>> {
        let mut types = vec![self.parser.cursor.ty()?];
        while self.parser.cursor.eat_punct(b',') {
            types.push(self.parser.cursor.ty()?);
        }
        Ok(types)
    }

    /// `v1 "x", v2 =`, or nothing.
    pub fn defined_values(&mut self) -> Parsed<Vec<Defined>> {
        let mut defined = Vec::new();
        if self.parser.cursor.peek_id("v").is_none() {
            return Ok(defined);
        }
        loop {
            defined.push(self.defined_value()?);
            if !self.parser.cursor.eat_punct(b',') {
                break;
            }
        }
        self.parser.cursor.expect_punct(b'=')?;
        Ok(defined)
    }

    /// `v1 "x"`
    fn defined_value(&mut self) -> Parsed<Defined> {
        let at = self.parser.cursor.here();
        let number = self.parser.cursor.id("v", "a value")?;
        let named = self.parser.cursor.peek().kind == Kind::String;
        let name = if named { Some(self.parser.cursor.string("a name")?) } else { None };
        Ok(Defined { number, name, at })
    }

    /// `i32 v1 "x"`, the definition of a parameter.
    pub fn typed_definition(&mut self, def: ValueDef) -> Parsed<Value> {
        let ty = self.parser.cursor.ty()?;
        let Defined { number, name, at } = self.defined_value()?;
        self.values.define(Definition { number, def, ty, name, at });
        Ok(Value::from_u32(number))
    }

    /// The parameter at an index: `n: i32 v0`, `a: @a` or `p: ref v1 + i64 v2`.
    pub fn param(&mut self, index: u32) -> Parsed<Param> {
        let name = self.parser.cursor.name("the name of a parameter")?;
        self.parser.cursor.expect_punct(b':')?;
        if self.parser.cursor.is_punct(b'@') {
            return Ok(Param { name, kind: ParamKind::Array(self.parser.array_name()?) });
        }
        let def = ValueDef::FunctionParam(index);
        let first = self.typed_definition(def)?;
        if !self.parser.cursor.eat_punct(b'+') {
            return Ok(Param { name, kind: ParamKind::Scalar(first) });
        }
        let offset = self.typed_definition(def)?;
        Ok(Param { name, kind: ParamKind::Pointer(first, offset) })
    }

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
                Ok(self.values.constant(Const::Bits(bit), Type::BOOL))
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
            return Ok(self.values.constant(Const::Array(array), ty));
        }
        if self.parser.cursor.eat_word("null") {
            return Ok(self.values.constant(Const::Null, ty));
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
            Ok(bits) => Ok(self.values.constant(Const::Bits(bits), ty)),
            Err(message) => error(at, message),
        }
    }

    /// A use of a value.
    fn used_value(&mut self) -> Parsed<Value> {
        let at = self.parser.cursor.here();
        let number = self.parser.cursor.id("v", "a value")?;
        self.values.use_at(number, at);
        Ok(Value::from_u32(number))
    }

    /// `a, b`, both of type `ty`.
    pub fn pair(&mut self, ty: Type) -> Parsed<[Value; 2]> {
        let first = self.operand(Some(ty))?;
        self.parser.cursor.expect_punct(b',')?;
        Ok([first, self.operand(Some(ty))?])
    }

    /// `a, b` of a type that only the operands keep.
    pub fn claimed_pair(&mut self, ty: Type) -> Parsed<[Value; 2]> {
        let at = self.parser.cursor.here();
        let pair = self.pair(ty)?;
        self.values.claim(pair[0], ty, at);
        Ok(pair)
    }

    /// `, a, b, …`
    pub fn operands_of(&mut self, ty: Type) -> Parsed<Vec<Value>> {
        let mut values = Vec::new();
        while self.parser.cursor.eat_punct(b',') {
            values.push(self.operand(Some(ty))?);
        }
        Ok(values)
    }

    /// `(v1, i32 0)`
    pub fn args(&mut self) -> Parsed<Vec<Value>> {
        self.parser.cursor.expect_punct(b'(')?;
        self.list(b')', |reader| reader.operand(None))
    }

    /// `item, item, …` up to the closing character, which is consumed.
    pub fn list<T>(
        &mut self,
        close: u8,
        mut item: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        if self.parser.cursor.eat_punct(close) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if self.parser.cursor.eat_punct(close) {
                return Ok(items);
            }
            if !self.parser.cursor.eat_punct(b',') {
                return self.parser.cursor.unexpected(&format!("`,` or `{}`", close as char));
            }
        }
    }

    /// `@a[v3]`; alignment and flags follow by [`Self::access_flags`].
    pub fn place(&mut self) -> Parsed<Access> {
        let pointer = self.parser.module.pointer_type();
        let array = self.parser.array_name()?;
        self.parser.cursor.expect_punct(b'[')?;
        let offset = self.operand(Some(pointer))?;
        self.parser.cursor.expect_punct(b']')?;
        Ok(Access { array, offset, align: 1, volatile: false, ghost: false, cached: false })
    }

    /// `align 4 volatile ghost cached`
    pub fn access_flags(&mut self, access: &mut Access) -> Parsed<()> {
        let cursor = &mut self.parser.cursor;
        cursor.expect_word("align")?;
        access.align = cursor.number("an alignment")?;
        access.volatile = cursor.eat_word("volatile");
        access.ghost = cursor.eat_word("ghost");
        access.cached = cursor.eat_word("cached");
        Ok(())
    }

    /// `, word`
    pub fn after_comma(&mut self, word: &str) -> Parsed<()> {
        self.parser.cursor.expect_punct(b',')?;
        self.parser.cursor.expect_word(word)
    }

    /// A block as the target of an edge.
    fn target(&mut self) -> Parsed<Block> {
        let at = self.parser.cursor.here();
        let number = self.parser.cursor.id("bb", "a block")?;
        self.targets.push((number, at));
        Ok(Block::from_u32(number))
    }

    /// `bb1(v1, i32 0)` or `bb2`.
    pub fn edge(&mut self) -> Parsed<Edge> {
        let block = self.target()?;
        let args = if self.parser.cursor.is_punct(b'(') { self.args()? } else { vec![] };
        Ok(Edge { block, args })
    }
}
