//! Reads functions: header, blocks, and the numbering of values and blocks.
//!
//! A value's definition may come after its uses in the text, so operands are
//! kept as numbers until the function ends. Then every number must have one
//! definition, and constants get the numbers that are free.

use std::collections::HashMap;

use super::cursor::{Cursor, ErrorAt, MAX_ID, Parsed, error};
use super::lines::FunctionLines;
use super::parse::Parser;
use super::parse_inst::parse_geometry;
use crate::{
    Block, BlockData, Const, Edge, Func, Function, FunctionKind, Inst, InstData, Loc, Param,
    ParamKind, Terminator, Type, Value, ValueDef,
};

/// Reading a function: the module's parser and what is known of the function.
pub(super) struct FunctionParser<'p, 't> {
    pub parser: &'p mut Parser<'t>,
    pub func: Function,
    /// The id that the function will have.
    pub id: Func,
    pub defs: Vec<Definition>,
    /// Numbers of used values, with their places.
    pub uses: Vec<(u32, usize)>,
    /// Types that the text gives to operands, to be compared with the truth.
    pub claims: Vec<(u32, Type, usize)>,
    /// Constants in order of first use, with their source names.
    pub consts: Vec<(Const, Type, Option<String>)>,
    const_ids: HashMap<(Const, Type), u32>,
    /// Blocks in the order of the text.
    pub blocks: Vec<TextBlock>,
    /// Numbers of jump targets, with their places.
    pub targets: Vec<(u32, usize)>,
    /// Is the last block without its end?
    open: bool,
    /// Did a line of the last block fail? Then its end may have been there.
    spoiled: bool,
    pub lines: FunctionLines,
}

/// The definition of a value.
pub(super) struct Definition {
    pub number: u32,
    pub def: ValueDef,
    pub ty: Type,
    pub name: Option<String>,
    pub at: usize,
}

/// A block of the text: its number, and where its header and its end are.
pub(super) struct TextBlock {
    pub number: u32,
    pub data: BlockData,
    pub at: usize,
    pub end_at: usize,
}

/// A value about to be defined: its number, source name and place.
pub(super) struct Defined {
    number: u32,
    name: Option<String>,
    at: usize,
}

impl Parser<'_> {
    /// A whole function.
    pub fn function(&mut self) {
        let errors = self.errors.len();
        let id = self.module.functions.next_key();
        let mut reader = FunctionParser::new(self, id);
        if !reader.line(FunctionParser::header) {
            return self.skip_body();
        }
        reader.body();
        reader.end_block();
        let clean = reader.parser.errors.len() == errors;
        if clean {
            reader.number();
        }
        let FunctionParser { func, lines, .. } = reader;
        self.module.functions.push(func);
        self.lines.functions.push(lines);
    }

    /// Skips the lines up to the closing brace.
    fn skip_body(&mut self) {
        while !self.cursor.at_end() && !self.cursor.is_punct(b'}') {
            self.cursor.skip_line();
        }
        self.cursor.skip_line();
    }
}

impl<'p, 't> FunctionParser<'p, 't> {
    fn new(parser: &'p mut Parser<'t>, id: Func) -> Self {
        FunctionParser {
            parser,
            func: Function::new("", "", FunctionKind::Device),
            id,
            defs: Vec::new(),
            uses: Vec::new(),
            claims: Vec::new(),
            consts: Vec::new(),
            const_ids: HashMap::new(),
            blocks: Vec::new(),
            targets: Vec::new(),
            open: false,
            spoiled: false,
            lines: FunctionLines::default(),
        }
    }

    /// Reads one line, or notes what is wrong with it and skips it.
    fn line(&mut self, rule: impl FnOnce(&mut Self) -> Parsed<()>) -> bool {
        match rule(self) {
            Ok(()) => true,
            Err(error) => {
                self.parser.errors.push(error);
                self.parser.cursor.skip_line();
                self.spoiled = true;
                false
            }
        }
    }

    /// `kernel name symbol s (params) -> types attributes !loc {`
    fn header(&mut self) -> Parsed<()> {
        let at = self.parser.cursor.here();
        self.lines.header = self.parser.cursor.line(at);
        let kernel = self.parser.cursor.word("`kernel` or `device`")? == "kernel";
        self.func.name = self.parser.cursor.name("the name of the function")?;
        self.parser.cursor.expect_word("symbol")?;
        self.func.symbol = self.parser.cursor.name("the symbol of the function")?;
        self.params()?;
        if self.parser.cursor.eat_arrow() {
            self.func.results = self.types()?;
        }
        if kernel {
            self.func.kind = self.kernel_kind()?;
        }
        self.func.loc = self.parser.cursor.optional_loc()?;
        self.parser.cursor.expect_punct(b'{')?;
        self.parser.cursor.end_line()
    }

    fn params(&mut self) -> Parsed<()> {
        self.parser.cursor.expect_punct(b'(')?;
        self.list(b')', |reader| {
            let param = reader.param()?;
            reader.func.params.push(param);
            Ok(())
        })?;
        Ok(())
    }

    /// `n: i32 v0`, `a: @a` or `p: ref v1 + i64 v2`.
    fn param(&mut self) -> Parsed<Param> {
        let name = self.parser.cursor.name("the name of a parameter")?;
        self.parser.cursor.expect_punct(b':')?;
        if self.parser.cursor.is_punct(b'@') {
            return Ok(Param { name, kind: ParamKind::Array(self.parser.array_name()?) });
        }
        let def = ValueDef::FunctionParam(self.func.params.len() as u32);
        let first = self.typed_definition(def)?;
        if !self.parser.cursor.eat_punct(b'+') {
            return Ok(Param { name, kind: ParamKind::Scalar(first) });
        }
        let offset = self.typed_definition(def)?;
        Ok(Param { name, kind: ParamKind::Pointer(first, offset) })
    }

    fn kernel_kind(&mut self) -> Parsed<FunctionKind> {
        let cursor = &mut self.parser.cursor;
        let mut required_block = None;
        if cursor.eat_word("required_block") {
            let mut size = || cursor.number("a block size");
            required_block = Some([size()?, size()?, size()?]);
        }
        let mut max_threads = None;
        if cursor.eat_word("max_threads") {
            max_threads = Some(cursor.number("a number of threads")?);
        }
        if cursor.eat_word("flattened") {
            let geometry = |cursor: &Cursor<'_>| cursor.peek_word().and_then(parse_geometry);
            while let Some(one) = geometry(cursor) {
                cursor.advance();
                self.func.flattened.insert(one);
            }
        }
        if cursor.eat_word("unsigned") {
            self.func.unsigned.insert(cursor.number("the position of a parameter")?);
            while cursor.eat_punct(b',') {
                self.func.unsigned.insert(cursor.number("the position of a parameter")?);
            }
        }
        Ok(FunctionKind::Kernel { required_block, max_threads })
    }

    /// `type, type, …`, at least one.
    pub fn types(&mut self) -> Parsed<Vec<Type>> {
        let mut types = vec![self.parser.cursor.ty()?];
        while self.parser.cursor.eat_punct(b',') {
            types.push(self.parser.cursor.ty()?);
        }
        Ok(types)
    }

    /// The lines up to the closing brace.
    fn body(&mut self) {
        loop {
            let cursor = &mut self.parser.cursor;
            if cursor.at_end() {
                let at = cursor.here();
                let message = format!("expected `}}` at the end of `{}`", self.func.name);
                return self.parser.errors.push(ErrorAt { at, message });
            }
            if cursor.eat_punct(b'}') {
                self.line(|reader| reader.parser.cursor.end_line());
                return;
            }
            match cursor.peek_word() {
                Some("const") => self.line(Self::named_constant),
                _ if cursor.peek_id("bb").is_some() => {
                    self.end_block();
                    self.line(Self::block_header)
                }
                _ => self.line(Self::statement),
            };
        }
    }

    /// `const i32 5 "x"`: the source name of a constant.
    fn named_constant(&mut self) -> Parsed<()> {
        let cursor = &mut self.parser.cursor;
        cursor.expect_word("const")?;
        let at = cursor.here();
        let value = self.operand(None)?;
        let name = self.parser.cursor.string("the source name of the constant")?;
        let Some(index) = value.as_u32().checked_sub(MAX_ID) else {
            return error(at, "expected a constant");
        };
        self.consts[index as usize].2.get_or_insert(name);
        self.parser.cursor.end_line()
    }

    /// `bb1(i32 v3 "i", f32 v4):`
    fn block_header(&mut self) -> Parsed<()> {
        let at = self.parser.cursor.here();
        let number = self.parser.cursor.id("bb", "a block")?;
        let block = Block::from_u32(number);
        self.blocks.push(TextBlock { number, data: BlockData::default(), at, end_at: at });
        self.open = true;
        self.spoiled = false;
        self.func.layout.push(block);
        if self.parser.cursor.eat_punct(b'(') {
            self.block_params(block)?;
        }
        self.parser.cursor.expect_punct(b':')?;
        self.parser.cursor.end_line()
    }

    fn block_params(&mut self, block: Block) -> Parsed<()> {
        self.list(b')', |reader| {
            let index = reader.current().params.len() as u32;
            let value = reader.typed_definition(ValueDef::BlockParam(block, index))?;
            reader.current().params.push(value);
            Ok(())
        })?;
        Ok(())
    }

    /// The block being read.
    fn current(&mut self) -> &mut BlockData {
        &mut self.blocks.last_mut().expect("callers have seen a block header").data
    }

    /// Notes a missing end of the last block.
    fn end_block(&mut self) {
        if self.open && !self.spoiled {
            let TextBlock { number, at, .. } = self.blocks.last().expect("an open block");
            let message =
                format!("bb{number} does not end with `jump`, `br`, `switch`, `return` or `halt`");
            self.parser.errors.push(ErrorAt { at: *at, message });
        }
        self.open = false;
    }

    /// An instruction or the end of a block.
    fn statement(&mut self) -> Parsed<()> {
        let at = self.parser.cursor.here();
        if !self.open {
            let place = if self.blocks.is_empty() {
                "before the first block"
            } else {
                "after the end of the block"
            };
            return error(at, format!("expected a block, found a line {place}"));
        }
        let defined = self.defined_values()?;
        if defined.is_empty()
            && let Some(terminator) = self.terminator()?
        {
            return self.finish_block(terminator, at);
        }
        let (data, types) = self.inst(defined.len())?;
        if types.len() != defined.len() {
            let (count, named) = (types.len(), defined.len());
            return error(at, format!("expected names for {count} results, found {named}"));
        }
        let into_signed = self.parser.cursor.eat_word("into_signed");
        let loc = self.parser.cursor.optional_loc()?;
        let inst = self.add_inst(data, &types, defined, loc, at);
        if into_signed {
            self.func.into_signed[inst] = true;
        }
        self.parser.cursor.end_line()
    }

    fn finish_block(&mut self, terminator: Terminator, at: usize) -> Parsed<()> {
        let loc = self.parser.cursor.optional_loc()?;
        let block = self.blocks.last_mut().expect("an open block");
        block.end_at = at;
        (block.data.terminator, block.data.loc) = (terminator, loc);
        self.open = false;
        self.parser.cursor.end_line()
    }

    fn add_inst(
        &mut self,
        data: InstData,
        types: &[Type],
        defined: Vec<Defined>,
        loc: Option<Loc>,
        at: usize,
    ) -> Inst {
        let inst = self.func.insts.push(data);
        let mut values = Vec::with_capacity(defined.len());
        for (n, (Defined { number, name, at }, &ty)) in defined.into_iter().zip(types).enumerate() {
            let def = ValueDef::Result(inst, n as u32);
            self.defs.push(Definition { number, def, ty, name, at });
            values.push(Value::from_u32(number));
        }
        self.func.results_of[inst] = values;
        self.func.inst_locs[inst] = loc;
        self.lines.insts[inst] = self.parser.cursor.line(at);
        self.current().insts.push(inst);
        inst
    }

    /// `v1 "x", v2 =`, or nothing.
    fn defined_values(&mut self) -> Parsed<Vec<Defined>> {
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
        let named = self.parser.cursor.peek().kind == super::lexer::Kind::String;
        let name = if named { Some(self.parser.cursor.string("a name")?) } else { None };
        Ok(Defined { number, name, at })
    }

    /// `i32 v1 "x"`, the definition of a parameter.
    fn typed_definition(&mut self, def: ValueDef) -> Parsed<Value> {
        let ty = self.parser.cursor.ty()?;
        let Defined { number, name, at } = self.defined_value()?;
        self.defs.push(Definition { number, def, ty, name, at });
        Ok(Value::from_u32(number))
    }

    /// A use of a value.
    pub fn used_value(&mut self) -> Parsed<Value> {
        let at = self.parser.cursor.here();
        let number = self.parser.cursor.id("v", "a value")?;
        self.uses.push((number, at));
        Ok(Value::from_u32(number))
    }

    /// A constant, as a value that [`Self::number`] will replace.
    pub fn constant(&mut self, constant: Const, ty: Type) -> Value {
        let next = self.consts.len() as u32;
        let index = *self.const_ids.entry((constant, ty)).or_insert(next);
        if index == next {
            self.consts.push((constant, ty, None));
        }
        Value::from_u32(MAX_ID + index)
    }

    /// The text says that `value` has type `ty` and this is kept nowhere else.
    pub fn claim(&mut self, value: Value, ty: Type, at: usize) {
        if value.as_u32() < MAX_ID {
            self.claims.push((value.as_u32(), ty, at));
        }
    }

    /// A block as the target of an edge.
    pub fn target(&mut self) -> Parsed<Block> {
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
}
