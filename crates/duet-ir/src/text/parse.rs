//! Reads modules: header, files, locations, arrays. Functions are read by
//! `parse_function`, instructions by `parse_inst`.
//!
//! A line that cannot be read is reported and skipped, so one text yields all of
//! its errors. Nothing here recurses or trusts a number for an allocation.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use cranelift_entity::EntityRef;

use super::cursor::{Cursor, ErrorAt, ParseError, Parsed, error};
use super::lines::SourceLines;
use crate::{
    Array, ArrayData, ArrayOrigin, File, FileData, Found, Func, Inst, InstData, Language, Loc,
    LocData, Module, Space,
};

/// Unused numbers that a text may have, whatever its length; see `spend_gaps`.
const FREE_GAPS: usize = 1 << 20;

impl Module {
    /// Reads the text form.
    ///
    /// # Errors
    /// Everything that is wrong with the text, in its order. What the text can
    /// say but the IR forbids is for [`crate::check_well_formed`] to find.
    pub fn parse(text: &str) -> Result<Module, Vec<ParseError>> {
        Module::parse_with_lines(text).map(|(module, _)| module)
    }

    /// Reads the text form, keeping the line of each part.
    ///
    /// # Errors
    /// As [`Module::parse`].
    pub fn parse_with_lines(text: &str) -> Result<(Module, SourceLines), Vec<ParseError>> {
        let mut parser = Parser::new(text);
        parser.module();
        parser.resolve_calls();
        let Parser { cursor, module, lines, mut errors, .. } = parser;
        if errors.is_empty() {
            return Ok((module, lines));
        }
        errors.sort_by_key(|error| error.at);
        Err(errors.into_iter().map(|error| cursor.locate(error)).collect())
    }
}

/// The state of reading a module.
pub(super) struct Parser<'t> {
    pub cursor: Cursor<'t>,
    pub module: Module,
    pub lines: SourceLines,
    pub errors: Vec<ErrorAt>,
    /// Arrays by name.
    pub arrays: HashMap<String, Array>,
    /// Calls, whose callees are known when all functions are.
    pub calls: Vec<PendingCall>,
    /// Unused ids that may still be filled.
    gaps: usize,
}

/// A call whose callee is known by its symbol only.
pub(super) struct PendingCall {
    pub func: Func,
    pub inst: Inst,
    pub symbol: String,
    pub at: usize,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str) -> Parser<'t> {
        Parser {
            cursor: Cursor::new(text),
            module: Module::new(Language::Cuda, 64),
            lines: SourceLines::default(),
            errors: Vec::new(),
            arrays: HashMap::new(),
            calls: Vec::new(),
            gaps: FREE_GAPS.max(text.len()),
        }
    }

    /// Takes unused ids from the budget, so that a short text with large ids
    /// cannot ask for much memory.
    fn spend_gaps(&mut self, count: usize, at: usize) -> Parsed<()> {
        match self.gaps.checked_sub(count) {
            Some(rest) => {
                self.gaps = rest;
                Ok(())
            }
            None => error(at, "too many numbers are left out before the largest id"),
        }
    }

    /// Takes unused ids from the budget, or notes that there are too many.
    pub fn try_spend_gaps(&mut self, count: usize, at: usize) -> bool {
        self.spend_gaps(count, at).map_err(|error| self.errors.push(error)).is_ok()
    }

    /// Notes an error.
    pub fn fail(&mut self, at: usize, message: String) {
        self.errors.push(ErrorAt { at, message });
    }

    fn module(&mut self) {
        self.line(Self::header);
        while !self.cursor.at_end() {
            self.item();
        }
    }

    /// Reads one line with `rule`; on failure notes the error and skips the line.
    fn line(&mut self, rule: impl FnOnce(&mut Self) -> Parsed<()>) {
        if let Err(error) = rule(self) {
            // Only the end of a rule moves past a line, so this is the same one.
            self.errors.push(error);
            self.cursor.skip_line();
        }
    }

    fn header(&mut self) -> Parsed<()> {
        self.cursor.expect_word("module")?;
        self.module.language = self.cursor.keyword("`cuda` or `opencl`", Language::from_name)?;
        self.module.pointer_width = self.cursor.number("the width of pointers")?;
        self.cursor.end_line()
    }

    fn item(&mut self) {
        match self.cursor.peek_word() {
            Some("kernel" | "device") => self.function(),
            Some("array") => self.line(Self::array),
            _ if self.cursor.is_punct(b'!') => self.line(Self::location),
            _ if self.cursor.peek_id("file").is_some() => self.line(Self::source_file),
            _ => {
                self.line(|parser| parser.cursor.unexpected("a file, location, array or function"))
            }
        }
    }

    /// `file0 "k.cu"`, or `file1 "math.h" library`
    fn source_file(&mut self) -> Parsed<()> {
        let at = self.cursor.here();
        let file = self.cursor.file()?;
        if file != self.module.files.next_key() {
            let next: File = self.module.files.next_key();
            return error(at, format!("files are numbered in order: expected `{next}`"));
        }
        let path = self.cursor.string("the path of the file")?;
        let is_library = self.cursor.eat_word("library");
        self.module.files.push(FileData { path, is_library });
        self.cursor.end_line()
    }

    /// `!1 = file0:12:5 inlined !0`
    fn location(&mut self) -> Parsed<()> {
        let at = self.cursor.here();
        let loc = self.cursor.loc()?;
        let next: Loc = self.module.locs.next_key();
        if loc != next {
            let expected = next.index();
            return error(at, format!("locations are numbered in order: expected `!{expected}`"));
        }
        self.cursor.expect_punct(b'=')?;
        let file = self.cursor.file()?;
        self.cursor.expect_punct(b':')?;
        let line = self.cursor.number("a line")?;
        self.cursor.expect_punct(b':')?;
        let column = self.cursor.number("a column")?;
        let inlined_at =
            if self.cursor.eat_word("inlined") { Some(self.cursor.loc()?) } else { None };
        self.module.locs.push(LocData { file, line, column, inlined_at });
        self.lines.locs[loc] = self.cursor.line(at);
        self.cursor.end_line()
    }

    /// `array @a global param granule 4 size 64 restrict init "00ff" declared "00ff" filled 0
    /// until 8 !3`
    fn array(&mut self) -> Parsed<()> {
        let at = self.cursor.here();
        self.cursor.expect_word("array")?;
        self.cursor.expect_punct(b'@')?;
        let name_at = self.cursor.here();
        let name = self.cursor.name("the name of the array")?;
        let data = self.array_data(name.clone())?;
        let array = self.module.arrays.next_key();
        match self.arrays.entry(name) {
            Entry::Occupied(entry) => {
                return error(name_at, format!("array `@{}` is declared twice", entry.key()));
            }
            Entry::Vacant(entry) => entry.insert(array),
        };
        self.module.arrays.push(data);
        self.lines.arrays[array] = self.cursor.line(at);
        self.cursor.end_line()
    }

    fn array_data(&mut self, name: String) -> Parsed<ArrayData> {
        let cursor = &mut self.cursor;
        let space = cursor.keyword("a memory space", Space::from_name)?;
        let origin = cursor.keyword("the origin of the array", ArrayOrigin::from_name)?;
        cursor.expect_word("granule")?;
        let granule = cursor.number("a granule")?;
        let size = if cursor.eat_word("size") { Some(cursor.number("a size")?) } else { None };
        let restrict = cursor.eat_word("restrict");
        let init = if cursor.eat_word("init") { Some(self.init_bytes()?) } else { None };
        let has_declared = self.cursor.eat_word("declared");
        let declared = if has_declared { Some(self.init_bytes()?) } else { None };
        let found = self.found()?;
        let loc = self.cursor.optional_loc()?;
        Ok(ArrayData { name, space, granule, size, origin, restrict, init, declared, found, loc })
    }

    /// `unset`, `filled 0`, `filled 0 until 8`, or nothing.
    fn found(&mut self) -> Parsed<Found> {
        if self.cursor.eat_word("unset") {
            return Ok(Found::Unset);
        }
        if !self.cursor.eat_word("filled") {
            return Ok(Found::Unknown);
        }
        let byte = self.cursor.number("a byte")?;
        let has_end = self.cursor.eat_word("until");
        let bytes = if has_end { Some(self.cursor.number("a number of bytes")?) } else { None };
        Ok(Found::Filled { byte, bytes })
    }

    /// Bytes as pairs of hexadecimal digits.
    fn init_bytes(&mut self) -> Parsed<Vec<u8>> {
        let at = self.cursor.here();
        let digits = self.cursor.string("bytes in hexadecimal")?;
        let byte = |pair: &[u8]| {
            let high = (*pair.first()? as char).to_digit(16)?;
            let low = (*pair.get(1)? as char).to_digit(16)?;
            u8::try_from(high * 16 + low).ok()
        };
        match digits.as_bytes().chunks(2).map(byte).collect() {
            Some(bytes) => Ok(bytes),
            None => error(at, "expected pairs of hexadecimal digits"),
        }
    }

    /// The array of a name after `@`.
    pub fn array_name(&mut self) -> Parsed<Array> {
        self.cursor.expect_punct(b'@')?;
        let at = self.cursor.here();
        let name = self.cursor.name("the name of an array")?;
        match self.arrays.get(&name) {
            Some(&array) => Ok(array),
            None => error(at, format!("array `@{name}` is not declared above")),
        }
    }

    /// Gives every call its callee.
    fn resolve_calls(&mut self) {
        let mut symbols: HashMap<&str, Func> = HashMap::new();
        for (func, function) in &self.module.functions {
            symbols.entry(&function.symbol).or_insert(func);
        }
        let mut resolved = Vec::new();
        for call in &self.calls {
            match symbols.get(call.symbol.as_str()) {
                Some(&callee) => resolved.push((call.func, call.inst, callee)),
                None => self.errors.push(ErrorAt {
                    at: call.at,
                    message: format!("no function has the symbol `{}`", call.symbol),
                }),
            }
        }
        for (func, inst, target) in resolved {
            // A call on a line that failed later is no instruction.
            let function = self.module.functions.get_mut(func);
            let data = function.and_then(|function| function.insts.get_mut(inst));
            if let Some(InstData::Call { callee, .. }) = data {
                *callee = target;
            }
        }
    }
}
