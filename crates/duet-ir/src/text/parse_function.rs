//! Reads functions: the header, and the lines of the body. Values and blocks are
//! numbers until the function ends; `values` and `blocks` keep them.

use std::collections::BTreeSet;

use super::blocks::Blocks;
use super::cursor::{Cursor, ErrorAt, Parsed, error};
use super::lines::FunctionLines;
use super::parse::Parser;
use super::parse_inst::{InstParser, parse_geometry};
use super::parse_operand::{Defined, OperandParser};
use super::parse_terminator::TerminatorParser;
use super::values::{Definition, Values};
use crate::{
    Block, Func, Function, FunctionKind, Inst, InstData, Loc, Terminator, Type, Value, ValueDef,
};

/// Reading a function: the module's parser and what is known of the function.
struct FunctionParser<'p, 't> {
    operands: OperandParser<'p, 't>,
    func: Function,
    /// The id that the function will have.
    id: Func,
    blocks: Blocks,
    lines: FunctionLines,
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
        let FunctionParser { operands, mut func, blocks, mut lines, .. } = reader;
        let OperandParser { parser, values, targets } = operands;
        if parser.errors.len() == errors {
            blocks.number(targets, &mut func, &mut lines, parser);
            values.number(&mut func, parser);
        }
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
            operands: OperandParser { parser, values: Values::default(), targets: Vec::new() },
            func: Function::new("", "", FunctionKind::Device),
            id,
            blocks: Blocks::default(),
            lines: FunctionLines::default(),
        }
    }

    fn cursor(&mut self) -> &mut Cursor<'t> {
        self.operands.cursor()
    }

    /// Notes a missing end of the last block.
    fn end_block(&mut self) {
        self.operands.parser.errors.extend(self.blocks.missing_end());
    }

    /// Reads one line, or notes what is wrong with it and skips it.
    fn line(&mut self, rule: impl FnOnce(&mut Self) -> Parsed<()>) -> bool {
        match rule(self) {
            Ok(()) => true,
            Err(error) => {
                self.operands.parser.errors.push(error);
                self.cursor().skip_line();
                self.blocks.spoil();
                false
            }
        }
    }

    /// `kernel name symbol s (params) -> types attributes !loc {`
    fn header(&mut self) -> Parsed<()> {
        let at = self.cursor().here();
        self.lines.header = self.cursor().line(at);
        let kernel = self.cursor().word("`kernel` or `device`")? == "kernel";
        self.func.name = self.cursor().name("the name of the function")?;
        self.cursor().expect_word("symbol")?;
        self.func.symbol = self.cursor().name("the symbol of the function")?;
        self.params()?;
        if self.cursor().eat_arrow() {
            self.func.results = self.operands.types()?;
        }
        if kernel {
            self.func.kind = self.kernel_kind()?;
        }
        self.func.loc = self.cursor().optional_loc()?;
        self.cursor().expect_punct(b'{')?;
        self.cursor().end_line()
    }

    fn params(&mut self) -> Parsed<()> {
        self.cursor().expect_punct(b'(')?;
        let Self { operands, func, .. } = self;
        operands.list(b')', |operands| {
            let param = operands.param(func.params.len() as u32)?;
            func.params.push(param);
            Ok(())
        })?;
        Ok(())
    }

    fn kernel_kind(&mut self) -> Parsed<FunctionKind> {
        let cursor = self.cursor();
        let mut required_block = None;
        if cursor.eat_word("required_block") {
            let mut size = || cursor.number("a block size");
            required_block = Some([size()?, size()?, size()?]);
        }
        let mut max_threads = None;
        if cursor.eat_word("max_threads") {
            max_threads = Some(cursor.number("a number of threads")?);
        }
        let (mut flattened, mut unsigned) = (BTreeSet::new(), BTreeSet::new());
        if cursor.eat_word("flattened") {
            while let Some(one) = cursor.peek_word().and_then(parse_geometry) {
                cursor.advance();
                flattened.insert(one);
            }
        }
        if cursor.eat_word("unsigned") {
            unsigned.insert(cursor.number("the position of a parameter")?);
            while cursor.eat_punct(b',') {
                unsigned.insert(cursor.number("the position of a parameter")?);
            }
        }
        (self.func.flattened, self.func.unsigned) = (flattened, unsigned);
        Ok(FunctionKind::Kernel { required_block, max_threads })
    }

    /// The lines up to the closing brace.
    fn body(&mut self) {
        loop {
            let cursor = self.cursor();
            if cursor.at_end() {
                let at = cursor.here();
                let message = format!("expected `}}` at the end of `{}`", self.func.name);
                return self.operands.parser.errors.push(ErrorAt { at, message });
            }
            if cursor.eat_punct(b'}') {
                self.line(|reader| reader.cursor().end_line());
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
        let cursor = self.cursor();
        cursor.expect_word("const")?;
        let at = cursor.here();
        let value = self.operands.operand(None)?;
        let name = self.cursor().string("the source name of the constant")?;
        if !self.operands.values.name_constant(value, name) {
            return error(at, "expected a constant");
        }
        self.cursor().end_line()
    }

    /// `bb1(i32 v3 "i", f32 v4):`
    fn block_header(&mut self) -> Parsed<()> {
        let at = self.cursor().here();
        let number = self.cursor().id("bb", "a block")?;
        let block = Block::from_u32(number);
        self.blocks.start(number, at);
        self.func.layout.push(block);
        if self.cursor().eat_punct(b'(') {
            self.block_params(block)?;
        }
        self.cursor().expect_punct(b':')?;
        self.cursor().end_line()
    }

    fn block_params(&mut self, block: Block) -> Parsed<()> {
        let params = &mut self.blocks.current().params;
        self.operands.list(b')', |operands| {
            let index = params.len() as u32;
            params.push(operands.typed_definition(ValueDef::BlockParam(block, index))?);
            Ok(())
        })?;
        Ok(())
    }

    /// An instruction or the end of a block.
    fn statement(&mut self) -> Parsed<()> {
        let at = self.cursor().here();
        if let Some(place) = self.blocks.outside() {
            return error(at, format!("expected a block, found a line {place}"));
        }
        let defined = self.operands.defined_values()?;
        if defined.is_empty()
            && let Some(terminator) = self.terminator()?
        {
            let loc = self.cursor().optional_loc()?;
            self.blocks.finish(terminator, loc, at);
            return self.cursor().end_line();
        }
        let next = self.func.insts.next_key();
        let mut insts = InstParser { operands: &mut self.operands, func: self.id, next };
        let (data, types) = insts.inst(defined.len())?;
        if types.len() != defined.len() {
            let (count, named) = (types.len(), defined.len());
            return error(at, format!("expected names for {count} results, found {named}"));
        }
        let into_signed = self.cursor().eat_word("into_signed");
        let loc = self.cursor().optional_loc()?;
        let inst = self.add_inst(data, &types, defined, loc, at);
        if into_signed {
            self.func.into_signed[inst] = true;
        }
        self.cursor().end_line()
    }

    fn terminator(&mut self) -> Parsed<Option<Terminator>> {
        let results = &self.func.results;
        TerminatorParser { operands: &mut self.operands, results }.terminator()
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
            self.operands.values.define(Definition { number, def, ty, name, at });
            values.push(Value::from_u32(number));
        }
        self.func.results_of[inst] = values;
        self.func.inst_locs[inst] = loc;
        self.lines.insts[inst] = self.cursor().line(at);
        self.blocks.current().insts.push(inst);
        inst
    }
}
