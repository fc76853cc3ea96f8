//! What the source calls things: variables by debug information, functions by their
//! symbols.

use std::collections::HashMap;

use duet_frontend::llvm::{self, Bb, Val};
use inkwell::llvm_sys::LLVMOpcode;

use crate::memory::{callee_name, is_global};
use crate::relation::HostPlace;

/// The names of values of one function.
pub struct Names {
    values: HashMap<Val, String>,
}

impl Names {
    /// Reads the debug information of a function.
    pub fn new(blocks: &[Bb]) -> Names {
        let mut values = HashMap::new();
        for inst in blocks.iter().flat_map(|block| block.instructions()) {
            let Some(callee) = callee_name(inst) else { continue };
            if callee != "llvm.dbg.value" && callee != "llvm.dbg.declare" {
                continue;
            }
            let value = inst.operand(0).md_operands().first().copied().flatten();
            let name = inst.operand(1).md_operands().get(1).copied().flatten();
            if let (Some(value), Some(name)) = (value, name.and_then(Val::md_string))
                && name != "this"
                && !value.is_constant()
            {
                values.entry(value).or_insert(name);
            }
        }
        Names { values }
    }

    /// The name of a value; empty if it has none.
    pub fn of(&self, value: Val) -> String {
        if let Some(name) = self.values.get(&value) {
            return name.clone();
        }
        if is_global(value) {
            return self.function(&value.name());
        }
        if value.is_instruction() && value.opcode() == LLVMOpcode::LLVMLoad {
            let from = value.operand(0);
            return match is_global(from) || self.values.contains_key(&from) {
                true => self.of(from),
                false => String::new(),
            };
        }
        let name = value.name();
        let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let is_argument = !value.is_instruction() && !value.is_constant();
        if plain && is_argument { name } else { String::new() }
    }

    /// A function's or a global's name without its mangling, as far as that is simple.
    pub fn function(&self, symbol: &str) -> String {
        plain_name(symbol)
    }
}

/// The last name in a mangled symbol: `f` of `_ZN1n1fEi`.
pub fn plain_name(symbol: &str) -> String {
    let Some(rest) = symbol.strip_prefix("_Z") else { return symbol.to_string() };
    let mut rest = rest.trim_start_matches(['N', 'L', 'K', 'V']);
    let mut last = None;
    loop {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let Ok(length) = rest[..digits].parse::<usize>() else { break };
        let Some(name) = rest.get(digits..digits + length) else { break };
        last = Some(name);
        rest = &rest[digits + length..];
    }
    last.unwrap_or(symbol).to_string()
}

/// The places of an instruction: the user's own line, then the calls that it was reached
/// through. Lines of our own headers are left out.
pub fn places(inst: Val) -> Vec<HostPlace> {
    let mut found = vec![];
    let mut at = inst.debug_loc();
    while let Some(node) = at {
        if let Some((directory, name)) = node.location_file() {
            let (line, column) = node.line_column();
            let path = std::path::Path::new(&name);
            let file = match path.is_absolute() || directory.is_empty() {
                true => path.to_path_buf(),
                false => std::path::Path::new(&directory).join(path),
            };
            if line > 0 && !file.to_string_lossy().contains("duet-headers") {
                found.push(HostPlace { file, line, column });
            }
        }
        at = node.inlined_at();
    }
    found
}

/// The functions of a module that have a body.
pub fn defined(module: inkwell::llvm_sys::prelude::LLVMModuleRef) -> Vec<Val> {
    llvm::functions(module).into_iter().filter(|function| !function.is_declaration()).collect()
}

#[cfg(test)]
mod tests {
    use super::plain_name;

    #[test]
    fn names_without_mangling() {
        for (symbol, name) in
            [("_Z4initv", "init"), ("_ZN1n1fEi", "f"), ("main", "main"), ("_ZL5count", "count")]
        {
            assert_eq!(plain_name(symbol), name);
        }
    }
}
