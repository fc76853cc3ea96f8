//! Prints modules and functions. Total: an ill-formed module prints too, so that
//! one can look at it, though its text may not read back.

use std::collections::HashSet;
use std::fmt::{self, Write};

use super::lexer::is_word;
use crate::{
    ArrayData, Block, Const, Found, Function, FunctionKind, Geometry, Inst, LocData, Module, Param,
    ParamKind, Type, Value, ValueDef,
};

impl fmt::Display for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "module {} {}", self.language, self.pointer_width)?;
        for (file, data) in &self.files {
            write!(f, "{file} ")?;
            write_quoted(f, &data.path)?;
            writeln!(f, "{}", if data.is_library { " library" } else { "" })?;
        }
        for array in self.arrays.values() {
            write_array(f, array)?;
        }
        for function in self.functions.values() {
            write!(f, "\n{}", function.display(self))?;
        }
        if !self.locs.is_empty() {
            writeln!(f)?;
        }
        for (loc, data) in &self.locs {
            write!(f, "!{} = ", loc.as_u32())?;
            write_loc(f, data)?;
        }
        Ok(())
    }
}

impl Function {
    /// The text form of the function, which belongs to `module`.
    pub fn display<'a>(&'a self, module: &'a Module) -> impl fmt::Display + 'a {
        FromFn(move |f: &mut fmt::Formatter<'_>| {
            FunctionPrinter { module, func: self, f }.function()
        })
    }

    /// The text form of a value as an operand: its id, or the constant it is.
    pub fn display_value<'a>(&'a self, module: &'a Module, value: Value) -> impl fmt::Display + 'a {
        FromFn(move |f: &mut fmt::Formatter<'_>| {
            FunctionPrinter { module, func: self, f }.operand(value, None)
        })
    }

    /// The text form of one instruction, without indentation.
    pub fn display_inst<'a>(&'a self, module: &'a Module, inst: Inst) -> impl fmt::Display + 'a {
        FromFn(move |f: &mut fmt::Formatter<'_>| {
            FunctionPrinter { module, func: self, f }.inst(inst)
        })
    }

    /// The text form of the end of a block, without indentation.
    pub fn display_terminator<'a>(
        &'a self,
        module: &'a Module,
        block: Block,
    ) -> impl fmt::Display + 'a {
        FromFn(move |f: &mut fmt::Formatter<'_>| {
            FunctionPrinter { module, func: self, f }.terminator(block)
        })
    }
}

/// Displays by calling a function.
struct FromFn<F>(F);

impl<F: Fn(&mut fmt::Formatter<'_>) -> fmt::Result> fmt::Display for FromFn<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.0)(f)
    }
}

/// `array @a global param granule 4 size 64 restrict init "00ff" declared "00ff" filled 0 until 8 !3`
fn write_array(f: &mut fmt::Formatter<'_>, array: &ArrayData) -> fmt::Result {
    write!(f, "array ")?;
    write_array_name(f, &array.name)?;
    write!(f, " {} {} granule {}", array.space, array.origin, array.granule)?;
    if let Some(size) = array.size {
        write!(f, " size {size}")?;
    }
    if array.restrict {
        write!(f, " restrict")?;
    }
    for (word, bytes) in [("init", &array.init), ("declared", &array.declared)] {
        let Some(bytes) = bytes else { continue };
        write!(f, " {word} \"")?;
        for byte in bytes {
            write!(f, "{byte:02x}")?;
        }
        f.write_str("\"")?;
    }
    match array.found {
        Found::Unknown => {}
        Found::Unset => f.write_str(" unset")?,
        Found::Filled { byte, bytes: None } => write!(f, " filled {byte}")?,
        Found::Filled { byte, bytes: Some(bytes) } => write!(f, " filled {byte} until {bytes}")?,
    }
    write_loc_suffix(f, array.loc)?;
    writeln!(f)
}

/// `file0:12:5 inlined !3`
fn write_loc(f: &mut fmt::Formatter<'_>, data: &LocData) -> fmt::Result {
    write!(f, "{}:{}:{}", data.file, data.line, data.column)?;
    if let Some(call) = data.inlined_at {
        write!(f, " inlined !{}", call.as_u32())?;
    }
    writeln!(f)
}

/// ` !3`, or nothing.
pub(super) fn write_loc_suffix(f: &mut fmt::Formatter<'_>, loc: Option<crate::Loc>) -> fmt::Result {
    match loc {
        Some(loc) => write!(f, " !{}", loc.as_u32()),
        None => Ok(()),
    }
}

/// `@name`
pub(super) fn write_array_name(f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
    f.write_char('@')?;
    write_name(f, name)
}

/// A name: as it is where it reads back as a word, else quoted.
fn write_name(f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
    if is_word(name) { f.write_str(name) } else { write_quoted(f, name) }
}

/// A string in quotes; control characters are escaped, so it stays on its line.
pub(super) fn write_quoted(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_char('"')?;
    for c in text.chars() {
        match c {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            c if c.is_control() => write!(f, "\\u{{{:x}}}", u32::from(c))?,
            c => f.write_char(c)?,
        }
    }
    f.write_char('"')
}

/// Prints the parts of one function.
pub(super) struct FunctionPrinter<'a, 'f, 'g> {
    pub module: &'a Module,
    pub func: &'a Function,
    pub f: &'f mut fmt::Formatter<'g>,
}

impl FunctionPrinter<'_, '_, '_> {
    fn function(&mut self) -> fmt::Result {
        self.header()?;
        self.named_constants()?;
        for &block in &self.func.layout {
            self.block(block)?;
        }
        writeln!(self.f, "}}")
    }

    fn header(&mut self) -> fmt::Result {
        let func = self.func;
        self.f.write_str(if func.is_kernel() { "kernel " } else { "device " })?;
        write_name(self.f, &func.name)?;
        self.f.write_str(" symbol ")?;
        write_name(self.f, &func.symbol)?;
        self.f.write_str(" (")?;
        self.comma_list(&func.params, Self::param)?;
        self.f.write_str(")")?;
        if !func.results.is_empty() {
            self.f.write_str(" -> ")?;
            self.comma_list(&func.results, |printer, ty| write!(printer.f, "{ty}"))?;
        }
        self.kind()?;
        write_loc_suffix(self.f, func.loc)?;
        writeln!(self.f, " {{")
    }

    fn kind(&mut self) -> fmt::Result {
        let FunctionKind::Kernel { required_block, max_threads } = &self.func.kind else {
            return Ok(());
        };
        if let Some([x, y, z]) = required_block {
            write!(self.f, " required_block {x} {y} {z}")?;
        }
        if let Some(threads) = max_threads {
            write!(self.f, " max_threads {threads}")?;
        }
        self.flattened()?;
        if !self.func.unsigned.is_empty() {
            let positions: Vec<String> = self.func.unsigned.iter().map(usize::to_string).collect();
            write!(self.f, " unsigned {}", positions.join(", "))?;
        }
        Ok(())
    }

    fn flattened(&mut self) -> fmt::Result {
        if !self.func.flattened.is_empty() {
            self.f.write_str(" flattened")?;
            for Geometry { kind, dim } in &self.func.flattened {
                write!(self.f, " {kind}.{dim}")?;
            }
        }
        Ok(())
    }

    fn param(&mut self, param: &Param) -> fmt::Result {
        write_name(self.f, &param.name)?;
        self.f.write_str(": ")?;
        match param.kind {
            ParamKind::Scalar(value) => self.typed_definition(value),
            ParamKind::Array(array) => self.array(array),
            ParamKind::Pointer(reference, offset) => {
                self.typed_definition(reference)?;
                self.f.write_str(" + ")?;
                self.typed_definition(offset)
            }
        }
    }

    /// `i32 v3 "i"`, the definition of a parameter.
    fn typed_definition(&mut self, value: Value) -> fmt::Result {
        let ty = self.type_of(value);
        write!(self.f, "{ty} ")?;
        self.definition(value)
    }

    /// `v3 "i"`
    pub fn definition(&mut self, value: Value) -> fmt::Result {
        write!(self.f, "{value}")?;
        if let Some(name) = &self.func.names[value] {
            self.f.write_char(' ')?;
            write_quoted(self.f, name)?;
        }
        Ok(())
    }

    /// The type of a value; `i1` for one that does not exist.
    pub fn type_of(&self, value: Value) -> Type {
        self.func.types.get(value).copied().unwrap_or(Type::BOOL)
    }

    /// Constants have no definition to carry a source name; these lines do.
    fn named_constants(&mut self) -> fmt::Result {
        let func = self.func;
        let mut seen = HashSet::new();
        for (value, def) in &func.values {
            let (ValueDef::Const(constant), Some(name)) = (*def, &func.names[value]) else {
                continue;
            };
            // An unused one may name an array that is gone.
            let gone = matches!(constant, Const::Array(a) if !self.module.arrays.is_valid(a));
            if gone || !seen.insert((constant, self.type_of(value))) {
                continue;
            }
            self.f.write_str("  const ")?;
            self.operand(value, None)?;
            self.f.write_char(' ')?;
            write_quoted(self.f, name)?;
            writeln!(self.f)?;
        }
        Ok(())
    }

    fn block(&mut self, block: Block) -> fmt::Result {
        write!(self.f, "{block}")?;
        let Some(data) = self.func.blocks.get(block) else { return writeln!(self.f, ":") };
        if !data.params.is_empty() {
            self.f.write_char('(')?;
            self.comma_list(&data.params, |printer, value| printer.typed_definition(*value))?;
            self.f.write_char(')')?;
        }
        writeln!(self.f, ":")?;
        for &inst in &data.insts {
            self.f.write_str("  ")?;
            self.inst(inst)?;
            writeln!(self.f)?;
        }
        self.f.write_str("  ")?;
        self.terminator(block)?;
        writeln!(self.f)
    }

    /// The items with commas between them.
    pub fn comma_list<T>(
        &mut self,
        items: &[T],
        mut print: impl FnMut(&mut Self, &T) -> fmt::Result,
    ) -> fmt::Result {
        for (n, item) in items.iter().enumerate() {
            if n > 0 {
                self.f.write_str(", ")?;
            }
            print(self, item)?;
        }
        Ok(())
    }
}
